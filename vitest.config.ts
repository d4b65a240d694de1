import { defineConfig } from 'vitest/config'

/** Only ends what hangs: a real supervisord or database takes seconds to start on a busy machine. */
const HANGS_AFTER_MS = 180_000

function project(name: string, include: string[], more: object = {}) {
  return {
    extends: true as const,
    test: { name, include, environment: 'node' as const, ...more },
  }
}

export default defineConfig({
  test: {
    passWithNoTests: false,
    testTimeout: HANGS_AFTER_MS,
    hookTimeout: HANGS_AFTER_MS,
    // Two cores are shared with the media tools that the tests start.
    maxWorkers: 2,
    projects: [
      project('tools', ['tools/**/*.test.ts', 'bench/**/*.test.ts']),
      project('contract', ['packages/contract/src/**/*.test.ts']),
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
      }),
    ],
  },
})
