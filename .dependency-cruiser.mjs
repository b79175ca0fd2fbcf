/** Which folder may import which: the rules of README, "Structure", on resolved paths. */
const LAYERS = {
  domain: ['domain'],
  app: ['app', 'domain', 'render'],
  render: ['render', 'domain'],
  store: ['store', 'domain'],
  platform: ['platform', 'domain'],
  http: ['http', 'app', 'render', 'domain'],
};

const layerRules = Object.entries(LAYERS).map(([layer, allowed]) => ({
  name: `${layer}-imports`,
  comment: `src/${layer} may import only ${allowed.join(', ')}`,
  severity: 'error',
  from: { path: `^src/${layer}/` },
  to: {
    path: '^src/',
    pathNot: [`^src/(${allowed.join('|')})/`, ...(layer === 'http' ? ['^src/env[.]ts$'] : [])],
  },
}));

/** @param {string} name @param {string} from @param {string[]} allowed */
function file(name, from, allowed) {
  return {
    name,
    severity: 'error',
    from: { path: from },
    to: { path: '^src/', pathNot: allowed },
  };
}

/** @param {string} name @param {string[]} packages @param {string[]} homes */
function onlyIn(name, packages, homes) {
  return {
    name,
    severity: 'error',
    from: { path: '^src/', pathNot: homes },
    to: { path: `^node_modules/(${packages.join('|')})/` },
  };
}

export default {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    ...layerRules,
    file('jobs-imports', '^src/jobs[.]ts$', ['^src/(app|domain)/', '^src/env[.]ts$']),
    file('deps-imports', '^src/deps[.]ts$', ['^src/(app|domain|render|store|platform)/', '^src/env[.]ts$']),
    file('worker-imports', '^src/worker[.]ts$', ['^src/(http|app|domain)/', '^src/(jobs|deps|env)[.]ts$']),
    file('env-imports', '^src/env[.]ts$', ['^src/(domain|platform)/']),
    {
      name: 'nothing-imports-build',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/build/' },
      to: { path: '^src/build/' },
    },
    { name: 'src-imports-no-tests', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    onlyIn('hono-in-http', ['hono'], ['^src/http/', '^src/worker[.]ts$', '^src/render/pages/']),
    onlyIn('feed-in-render', ['feed'], ['^src/render/']),
    onlyIn('mjml-in-build', ['mjml', 'handlebars'], ['^src/build/']),
    {
      name: 'node-in-build',
      comment: 'the Worker uses Web APIs; nodemailer speaks SMTP over node:net, which workerd has',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/build/', '^src/platform/smtp-connection[.]ts$'] },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.json'] },
  },
};
