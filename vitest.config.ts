import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/**
 * Only ends what hangs: a real supervisord or database takes seconds to start on a busy machine, and
 * beside the browser's tests the longest test of the API takes thirteen times as long as alone.
 */
const HANGS_AFTER_MS = 300_000

/** A test of the benches that runs with those that build the API first. */
const STARTS_BUILT_API = 'bench/chaos/rig/api-site.test.ts'

/**
 * Modules are loaded, and made fast, once per worker, and nothing of ours keeps state in one. What
 * puts something in the place of a module has a worker to itself: it must not be another file's.
 */
function projects(
  name: string,
  include: string[],
  more: Record<string, unknown> & { exclude?: string[] } = {},
) {
  const replacing = globSync(include).filter((file) =>
    readFileSync(file, 'utf8').includes('vi.mock('),
  )
  const { exclude = [], ...others } = more
  const left = [...replacing, ...exclude]
  const shared = project(name, include, { ...others, exclude: left, isolate: false })
  return replacing.length === 0 ? [shared] : [shared, project(`${name}-replacing`, replacing, more)]
}

function project(name: string, include: string[], more: object) {
  return {
    extends: true as const,
    test: { name, include, environment: 'node' as const, ...more },
  }
}

export default defineConfig({
  // Source positions of JSX elements are not used here and cost 6 % of a rendered test.
  oxc: { jsx: { development: false, runtime: 'automatic' } },
  test: {
    passWithNoTests: false,
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    // Before the test itself: its failure says what was waited for.
    expect: { poll: { timeout: HANGS_AFTER_MS / 3 } },
    // Two cores are shared with the media tools that the tests start.
    maxWorkers: 2,
    projects: [
      ...projects(
        'tools',
        ['tools/**/*.test.ts', 'bench/**/*.test.ts', 'packages/console/language/*.test.ts'],
        {
          exclude: ['tools/package/**', 'tools/several-processes/**', STARTS_BUILT_API],
        },
      ),
      // What is installed and run as built.
      ...projects('package', ['tools/{package,several-processes}/*.test.ts'], {
        globalSetup: ['tools/package/build.setup.ts'],
      }),
      ...projects('contract', ['packages/contract/src/**/*.test.ts']),
      ...projects('testbed', ['packages/testbed/src/**/*.test.ts', STARTS_BUILT_API], {
        globalSetup: ['tools/build/programs.setup.ts'],
      }),
      ...projects('api', ['packages/api/src/**/*.test.ts'], {
        globalSetup: ['tools/postgres.setup.ts', 'tools/build/programs.setup.ts'],
        pool: 'threads' as const,
      }),
      // Not among the kinds of `npm test`: `npm run secure` runs these, for minutes.
      ...projects('secure', ['bench/secure/*.secure.ts'], {
        globalSetup: ['tools/postgres.setup.ts', 'tools/build/programs.setup.ts'],
        pool: 'threads' as const,
        testTimeout: HANGS_AFTER_MS * 100,
      }),
      ...projects('agent', ['packages/agent/src/**/*.test.ts'], {
        globalSetup: ['tools/build/programs.setup.ts'],
      }),
      // resetConsole() forgets what one test leaves to the next.
      ...projects('console', ['packages/console/src/**/*.test.{ts,tsx}'], {
        environment: 'happy-dom' as const,
      }),
    ],
  },
})
