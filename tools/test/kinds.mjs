/**
 * The kinds of tests of `npm test`, in the order in which they start: the quick ones first, so that
 * a slip is known within a minute.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { countPlaywright, countVitest } from './counts.mjs'

/**
 * @typedef {import('./counts.mjs').FileCounts} FileCounts
 * @typedef {object} SecondTry
 * @property {string} folder whose files get a second try, from the repository's root
 * @property {(files: readonly string[]) => string[]} argv runs these files alone
 *
 * @typedef {object} Job one program; its exit code and, where it writes one, its report are counted
 * @property {string[]} argv run by the product's Node
 * @property {((report: unknown) => FileCounts[])} [count] reads the report; without it the job is one test
 * @property {SecondTry} [secondTry] for what depends on the machine (docs/adr/0013)
 * @property {Record<string, string | undefined>} [env]
 * @property {boolean} [yields] the cores belong to what runs real media first
 * @property {string} [title] named when a job without a report fails
 *
 * @typedef {object} Kind
 * @property {string} name
 * @property {number} weightCores of the machine that it keeps busy, measured; kinds whose weights fit run side by side
 * @property {(reportFile: string) => Job[]} jobs one after the other
 * @property {boolean} [needsBuild]
 * @property {boolean} [waits] for media: on a quick machine it leaves much of its cores idle
 * @property {boolean} [fills] may run before its turn, where it is so
 */

/** What runs on Node is one program: what its packages share is read and checked once. */
const TYPE_PROGRAMS = ['packages/contract', 'packages/tsconfig.node.json', 'packages/console', '.']
const REPORTERS = join(root, 'tools/test')

/**
 * For the compilers written in Go: several threads infer the same types again, which costs twice the
 * work (tsc, measured: 54 instead of 23 CPU seconds), and other kinds use the other core.
 */
const SINGLE_THREADED_GO = { GOMAXPROCS: '1', GOGC: '400' }

/** @type {readonly Kind[]} */
export const kinds = [
  {
    name: 'format',
    weightCores: 1,
    jobs: () => [
      {
        argv: [bin('oxfmt'), '--check'],
        title: 'oxfmt --check',
      },
    ],
  },
  {
    name: 'lint',
    weightCores: 1,
    jobs: () => [
      {
        argv: [bin('oxlint'), '--type-aware', '--deny-warnings'],
        env: SINGLE_THREADED_GO,
        title: 'oxlint --type-aware --deny-warnings',
      },
      { argv: [bin('knip'), '--no-progress'], title: 'knip' },
    ],
  },
  {
    name: 'types',
    weightCores: 1,
    jobs: () =>
      TYPE_PROGRAMS.map((program) => ({
        argv: [bin('tsc'), '-p', program, '--singleThreaded'],
        env: SINGLE_THREADED_GO,
        title: `tsc -p ${program}`,
      })),
  },
  vitestKind('rules', 1, ['tools'], { again: 'tools/' }),
  vitestKind('unit', 1, ['contract']),
  // Both together leave no core idle where the machine is not quick (measured: 20 processes waiting where tests that
  // compute ran beside them, and links and supervisors that answered too late).
  mediaKind('agent', 1, 'agent', 3),
  mediaKind('testbed', 1, 'testbed', 2),
  // Its sites and databases are waited for: two workers left a quarter of a core idle beside media, and half of
  // a core at the end, where the longest files are alone.
  {
    ...vitestKind('api', 1, ['api'], { again: 'packages/api/', more: ['--maxWorkers=3'] }),
    fills: true,
  },
  // A rendered test waits half of its time.
  {
    ...vitestKind('console', 1, ['console'], {
      again: 'packages/console/',
      more: ['--maxWorkers=3'],
    }),
    fills: true,
  },
  { ...vitestKind('package', 1, ['package'], { again: 'tools/' }), needsBuild: true },
  // Alone: its sites with their encoders and links keep both cores busy (measured: 1.8 of two on a quick
  // machine; on a slow one no idle time and 20 processes waiting, with two sites already).
  { name: 'browser', weightCores: 2, jobs: browserJobs, needsBuild: true },
]

/**
 * What computes, renders or is called: the cores belong to real media first.
 * @param {string} name
 * @param {number} weightCores
 * @param {readonly string[]} projects of vitest.config.ts
 * @param {{ again?: string, more?: readonly string[] }} [options] `again`: the folder whose files get
 * a second try; `more`: arguments of vitest
 * @returns {Kind}
 */
export function vitestKind(name, weightCores, projects, { again, more = [] } = {}) {
  return {
    name,
    weightCores,
    jobs: (reportFile) => {
      const argv = [...vitest(projects, reportFile), ...more]
      const job = { argv, count: countVitest, yields: true }
      return [again === undefined ? job : { ...job, secondTry: triedAgain(again, argv) }]
    },
  }
}

/**
 * Real media programs.
 * @param {string} name
 * @param {number} weightCores
 * @param {string} project of vitest.config.ts and folder below packages
 * @param {number} workers
 * @returns {Kind}
 */
function mediaKind(name, weightCores, project, workers) {
  return {
    name,
    weightCores,
    waits: true,
    jobs: (reportFile) => {
      const argv = [...vitest([project], reportFile), `--maxWorkers=${workers}`]
      return [{ argv, count: countVitest, secondTry: triedAgain(`packages/${project}/`, argv) }]
    },
  }
}

/**
 * @param {string} folder
 * @param {readonly string[]} argv of the first try
 * @returns {SecondTry}
 */
function triedAgain(folder, argv) {
  return { folder, argv: (files) => [...argv, ...files] }
}

/**
 * @param {readonly string[]} projects
 * @param {string} reportFile
 */
function vitest(projects, reportFile) {
  return [
    bin('vitest'),
    'run',
    // With those of its files that replace a module.
    ...projects.flatMap((project) => ['--project', `${project}*`]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${reportFile}`,
    `--reporter=${join(REPORTERS, 'vitest.reporter.mjs')}`,
  ]
}

/**
 * @param {string} reportFile
 * @returns {Job[]}
 */
function browserJobs(reportFile) {
  const config = 'e2e/playwright.config.ts'
  if (!existsSync(join(root, config))) return []
  const reporters = `list,json,${join(REPORTERS, 'playwright.reporter.mjs')}`
  const argv = [bin('playwright'), 'test', '--config', config, `--reporter=${reporters}`]
  return [
    {
      argv,
      // Playwright sets FORCE_COLOR for its workers, and Node warns of NO_COLOR beside it.
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
        // What it translates is kept from run to run: the folder of a run goes with it.
        PLAYWRIGHT_TRANSFORM_CACHE_DIR: join(root, 'node_modules/.cache/playwright'),
        NO_COLOR: undefined,
        FORCE_COLOR: '0',
      },
      count: countPlaywright,
      secondTry: triedAgain('e2e/', argv),
    },
  ]
}

/** @param {string} name */
function bin(name) {
  return join(root, 'node_modules/.bin', name)
}
