/**
 * The kinds of tests of `npm test`, in the order in which they run: what is quick and near to the
 * cause of a fault comes first.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup.mjs'
import { countPlaywright, countVitest } from './counts.mjs'

/**
 * @typedef {import('./counts.mjs').Counts} Counts
 * @typedef {object} Job one program; its exit code and, where it writes one, its report are counted
 * @property {string[]} argv run by the product's Node
 * @property {((report: unknown) => Counts)} [count] reads the report; without it the job is one test
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
  vitestKind('rules', ['tools']),
  vitestKind('unit', ['contract', 'testbed']),
  vitestKind('api', ['api']),
  vitestKind('agent', ['agent']),
  vitestKind('console', ['console']),
  { name: 'browser', jobs: browserJobs, needsBuild: true },
]

/**
 * @param {string} name
 * @param {readonly string[]} projects of vitest.config.ts
 * @returns {Kind}
 */
function vitestKind(name, projects) {
  return {
    name,
    jobs: (reportFile) => [
      {
        argv: [
          bin('vitest'),
          'run',
          ...projects.flatMap((project) => ['--project', project]),
          '--reporter=default',
          '--reporter=json',
          `--outputFile.json=${reportFile}`,
        ],
        count: countVitest,
      },
    ],
  }
}

/**
 * @param {string} reportFile
 * @returns {Job[]}
 */
function browserJobs(reportFile) {
  const config = 'e2e/playwright.config.ts'
  if (!existsSync(join(root, config))) return []
  return [
    {
      argv: [bin('playwright'), 'test', '--config', config, '--reporter=list,json'],
      // Playwright sets FORCE_COLOR for its workers, and Node warns of NO_COLOR beside it.
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: reportFile,
        NO_COLOR: undefined,
        FORCE_COLOR: process.stdout.isTTY ? '1' : '0',
      },
      count: countPlaywright,
    },
  ]
}

/** @param {string} name */
function bin(name) {
  return join(root, 'node_modules/.bin', name)
}
