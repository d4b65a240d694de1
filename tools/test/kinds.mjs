/**
 * The kinds of tests of `npm test`, in the order in which they run: what is quick and near to the
 * cause of a fault comes first.
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
 * @property {SecondTry} [secondTry] for what runs on real media and a real browser
 * @property {Record<string, string | undefined>} [env]
 * @property {string} [title] named when a job without a report fails
 *
 * @typedef {{ name: string, jobs: (reportFile: string) => Job[], needsBuild?: boolean }} Kind
 */

const PACKAGES = ['contract', 'api', 'agent', 'testbed', 'console']

/** @type {readonly Kind[]} */
export const kinds = [
  {
    name: 'format',
    jobs: () => [
      {
        argv: [bin('prettier'), '--check', '--log-level', 'warn', '.'],
        title: 'prettier --check .',
      },
    ],
  },
  {
    name: 'lint',
    jobs: () => [
      {
        argv: [bin('oxlint'), '--type-aware', '--deny-warnings'],
        title: 'oxlint --type-aware --deny-warnings',
      },
    ],
  },
  {
    name: 'types',
    jobs: () =>
      [...PACKAGES.map((name) => `packages/${name}`), '.'].map((folder) => ({
        argv: [bin('tsc'), '-p', folder],
        title: `tsc -p ${folder}`,
      })),
  },
  vitestKind('rules', ['tools'], null),
  vitestKind('unit', ['contract', 'testbed'], 'packages/testbed/'),
  vitestKind('api', ['api'], null),
  // Its checks wait for real programs most of the time: two fifths of one core for all of them.
  vitestKind('agent', ['agent'], 'packages/agent/', ['--maxWorkers=3']),
  vitestKind('console', ['console'], null),
  { name: 'browser', jobs: browserJobs, needsBuild: true },
]

/**
 * @param {string} name
 * @param {readonly string[]} projects of vitest.config.ts
 * @param {string | null} mediaFolder whose files run the real media tools
 * @param {readonly string[]} options more of vitest's own
 * @returns {Kind}
 */
function vitestKind(name, projects, mediaFolder, options = []) {
  return {
    name,
    jobs: (reportFile) => {
      const argv = [
        bin('vitest'),
        'run',
        ...projects.flatMap((project) => ['--project', project]),
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${reportFile}`,
        ...options,
      ]
      if (mediaFolder === null) return [{ argv, count: countVitest }]
      const secondTry = {
        folder: mediaFolder,
        argv: (/** @type {readonly string[]} */ files) => [...argv, ...files],
      }
      return [{ argv, count: countVitest, secondTry }]
    },
  }
}

/**
 * @param {string} reportFile
 * @returns {Job[]}
 */
function browserJobs(reportFile) {
  const config = 'e2e/playwright.config.ts'
  if (!existsSync(join(root, config))) return []
  const argv = [bin('playwright'), 'test', '--config', config, '--reporter=list,json']
  return [
    {
      argv,
      // Playwright sets FORCE_COLOR for its workers, and Node warns of NO_COLOR beside it.
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
        NO_COLOR: undefined,
        FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      },
      count: countPlaywright,
      secondTry: { folder: 'e2e/', argv: (files) => [...argv, ...files] },
    },
  ]
}

/** @param {string} name */
function bin(name) {
  return join(root, 'node_modules/.bin', name)
}
