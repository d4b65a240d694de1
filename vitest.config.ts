import { globSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'

/** Only ends what hangs: a real supervisord or database takes seconds to start on a busy machine. */
const HANGS_AFTER_MS = 180_000

function project(name: string, include: string[], more: object = {}) {
  return {
    extends: true as const,
    test: { name, include, environment: 'node' as const, ...more },
  }
}

/** Tests of the console that put something in the place of a module. */
const replacing = globSync('packages/console/src/**/*.test.{ts,tsx}').filter((file) =>
  readFileSync(file, 'utf8').includes('vi.mock('),
)

export default defineConfig({
  test: {
    passWithNoTests: false,
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    // Two cores are shared with the media tools that the tests start.
    maxWorkers: 2,
    projects: [
      project('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts']),
      // Pure functions: nothing is left behind for the next file.
      project('contract', ['packages/contract/src/**/*.test.ts'], { isolate: false }),
      project('testbed', ['packages/testbed/src/**/*.test.ts']),
      project('api', ['packages/api/src/**/*.test.ts'], {
        globalSetup: ['tools/postgres.setup.ts'],
        // The API has no global state: its modules are loaded, and made fast, once per worker.
        pool: 'threads' as const,
        isolate: false,
      }),
      project('agent', ['packages/agent/src/**/*.test.ts']),
      project('console', ['packages/console/src/**/*.test.{ts,tsx}'], {
        environment: 'happy-dom' as const,
        exclude: replacing,
        // Mantine, React and the router are loaded once per worker; resetConsole() forgets the rest.
        isolate: false,
      }),
      // A module that one file replaces must not be another file's.
      project('console-replacing', replacing, { environment: 'happy-dom' as const }),
    ],
  },
})
