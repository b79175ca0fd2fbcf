import { tick } from './app/tick.ts';
import { buildDeps } from './deps.ts';
import { instant } from './domain/time.ts';
import { type Env, parseConfig } from './env.ts';
import { httpApp } from './http/app.ts';
import { unconfigured } from './http/unconfigured.ts';
import { consume } from './jobs.ts';

const http = httpApp();
const built = new WeakMap<Env, ReturnType<typeof buildDeps>>();

/** The ports, built once for each environment: they hold bindings, and nothing of a request. */
function depsOf(env: Env): ReturnType<typeof buildDeps> {
  const deps = built.get(env) ?? buildDeps(env, parseConfig(env));
  built.set(env, deps);
  return deps;
}

export default {
  async fetch(request, env, context) {
    const deps = unconfigured(() => depsOf(env));
    return deps instanceof Response ? deps : http.fetch(request, { deps }, context);
  },

  async scheduled(controller, env) {
    await tick(depsOf(env), instant(controller.scheduledTime));
  },

  async queue(batch, env) {
    await consume(depsOf(env), batch);
  },
} satisfies ExportedHandler<Env>;
