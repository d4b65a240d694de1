/** Which test runs which commands of the pages for operators. */

export interface Claim {
  /** From the root. */
  readonly page: string
  /** The commands by their beginnings, without what an example leaves open. */
  readonly commands: readonly string[]
  /** The file that runs them. */
  readonly test: string
  /** Stands in that file where it runs them. */
  readonly proof: string
}

const operate = (page: string) => `docs/operate/${page}.md`
const ALL = ['']

const SHELL_FIXTURE = 'packages/api/src/command-line'
const TRUNKLINE_TEST = 'packages/api/src/trunkline.test.ts'
const INSTALL_TEST = 'tools/package/install.test.ts'
const START_TEST = 'packages/testbed/src/start.test.ts'

/** Those that read their commands from the page, and those that run the same with places of their own. */
export const CLAIMS: readonly Claim[] = [
  page('2-back-up', `${SHELL_FIXTURE}/calls-page.test.ts`, "commandsOfPage('2-back-up.md')"),
  page('8-channels', 'packages/agent/src/streams/api/streams-page.test.ts', '8-channels.md'),
  page('9-events', `${SHELL_FIXTURE}/calls-page.test.ts`, "page: '9-events.md'"),
  page('11-alarms', `${SHELL_FIXTURE}/calls-page.test.ts`, "page: '11-alarms.md'"),
  page('14-on-air', `${SHELL_FIXTURE}/calls-page.test.ts`, "page: '14-on-air.md'"),
  page('18-automate', `${SHELL_FIXTURE}/objects/objects-page.test.ts`, "'18-automate.md'"),
  page('19-as-text', `${SHELL_FIXTURE}/as-text/as-text-page.test.ts`, "'19-as-text.md'"),
  {
    page: operate('1-install'),
    commands: [
      'apt-get update',
      'apt-get install ./trunkline_0.1',
      'apt-get install ./trunkline-agent_0.1',
    ]
      .concat(['apt-get install nginx', 'openssl req', 'cat >/etc/nginx', 'systemctl reload nginx'])
      .concat(['sed -i', 'systemctl restart trunkline', 'trunkline user add', 'trunkline doctor'])
      .concat(['trunkline-agent doctor', 'trunkline-agent enrol', 'grep key /etc/trunkline-agent'])
      .concat([
        'apt-get install ca-certificates',
        'cp console.example.pem',
        'update-ca-certificates',
      ]),
    test: 'tools/docs/walk-page.test.ts',
    proof: 'the walk typed each command of the pages',
  },
  {
    page: operate('1-install'),
    commands: ['apt-get install ./trunkline_0.2', 'apt-get install ./trunkline-agent_0.2'],
    test: INSTALL_TEST,
    proof: 'await install(nextDebs)',
  },
  {
    page: operate('1-install'),
    commands: ['gpgv --keyring', 'sha256sum --check'],
    test: 'tools/release/sign.test.ts',
    proof: 'expect(check()).toBe(0)',
  },
  {
    page: operate('1-install'),
    commands: ['npm run package'],
    test: 'tools/package/packages.test.ts',
    proof: 'buildPackages({ root',
  },
  {
    page: operate('1-install'),
    commands: ['node tools/setup.mjs', 'npm run build'],
    test: 'tools/package/build.setup.ts',
    proof: "build(await setUpMachine('build'))",
  },
  {
    page: operate('1-install'),
    commands: ['npm start', 'node_modules/.bin/node packages/'],
    test: START_TEST,
    proof: "spawn('npm', ['start']",
  },
  {
    page: operate('3-hosts'),
    commands: ['setpriv --reuid trunkline-agent'],
    test: 'packages/agent/src/main.test.ts',
    proof: 'main.js',
  },
  {
    page: operate('3-hosts'),
    commands: ['adduser ', 'chown ', 'chmod ', 'groupadd ', 'mount '],
    test: INSTALL_TEST,
    proof: "blocksOfPage('docs/operate/3-hosts.md')",
  },
  {
    page: operate('4-troubleshooting'),
    commands: ALL,
    test: INSTALL_TEST,
    proof: "blocksOfPage('docs/operate/4-troubleshooting.md')",
  },
  {
    page: operate('5-people'),
    commands: ['trunkline audit check'],
    test: TRUNKLINE_TEST,
    proof: "['audit', 'check']",
  },
  {
    page: operate('5-people'),
    commands: ['trunkline user add'],
    test: INSTALL_TEST,
    proof: "'trunkline', 'user', 'add'",
  },
  {
    page: operate('16-training'),
    commands: ['npx trunkline demo'],
    test: 'packages/testbed/src/training/demo-command.test.ts',
    proof: "demo('break'",
  },
  {
    page: operate('16-training'),
    commands: ['TRUNKLINE_DEMO=fleet npm start'],
    test: 'packages/testbed/src/training/training-site.test.ts',
    proof: 'fleet: SMALL_FLEET',
  },
  {
    page: operate('17-encrypted-hosts'),
    commands: ['trunkline-agent enrol'],
    test: 'packages/agent/src/identity/enrol-command.test.ts',
    proof: "['--console', `http",
  },
  { page: operate('settings'), commands: ALL, test: START_TEST, proof: "spawn('npm', ['start']" },
  { page: 'README.md', commands: ['npm start'], test: START_TEST, proof: "spawn('npm', ['start']" },
  readme('npx trunkline user add', "'user', 'add', '--email', 'typed@"),
  readme('npx trunkline user reset-password', "['user', 'reset-password'"),
  readme('npx trunkline --help', "[COMMAND, '--help']"),
]

/** Commands that no test can run, and why. */
export const NOT_RUN: readonly { page: string; commands: readonly string[]; why: string }[] = [
  {
    page: 'README.md',
    commands: ['npm test', 'npm run bench'],
    why: 'They are the tests and the benches themselves.',
  },
]

function page(name: string, test: string, proof: string): Claim {
  return { page: operate(name), commands: ALL, test, proof }
}

function readme(command: string, proof: string): Claim {
  return { page: 'README.md', commands: [command], test: TRUNKLINE_TEST, proof }
}
