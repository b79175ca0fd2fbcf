import { tick } from './app/tick.ts';
import { buildDeps } from './deps.ts';
import { instant } from './domain/time.ts';
import { type Env, parseConfig } from './env.ts';
import { httpApp } from './http/app.ts';
import { unconfigured } from './http/unconfigured.ts';
import { consume } from './jobs.ts';

export default {
  async fetch(request, env, context) {
    const deps = unconfigured(() => buildDeps(env, parseConfig(env)));
    return deps instanceof Response ? deps : httpApp(deps).fetch(request, env, context);
  },

  async scheduled(controller, env) {
    await tick(buildDeps(env, parseConfig(env)), instant(controller.scheduledTime));
  },

  async queue(batch, env) {
    await consume(buildDeps(env, parseConfig(env)), batch);
  },
} satisfies ExportedHandler<Env>;
