import { defineConfig } from '@playwright/test'

export default defineConfig({
  testDir: '.',
  testMatch: '**/*.e2e.ts',
  // Each worker has a site of its own; the tests of a file share it, one after the other. Two cores carry
  // two sites with a picture, and a third one that only waits for its pages and hosts.
  workers: 3,
  projects: [
    { name: 'picture', testIgnore: 'without-picture/**', workers: 2 },
    { name: 'without picture', testMatch: 'without-picture/**/*.e2e.ts' },
  ],
  fullyParallel: false,
  // Both only end what hangs. Real encoders, links and a player with its specified delay of 3 s take
  // several times as long on a machine that does other things too.
  timeout: 300_000,
  expect: { timeout: 90_000 },
  forbidOnly: true,
  // `npm test` runs a file that failed once more, and tells (docs/adr/0013).
  retries: 0,
  outputDir: '../test-results',
  use: {
    browserName: 'chromium',
    viewport: { width: 1440, height: 900 },
    // Nobody watches: pictures of every step of a fade cost more than the step.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: {
      executablePath: '/usr/bin/chromium-headless-shell',
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--autoplay-policy=no-user-gesture-required',
        // No page lives long enough to pay back what its optimising compilers take (measured: a seventh of all that
        // the browsers compute).
        '--js-flags=--no-opt,--no-maglev',
      ],
    },
    trace: 'off',
    screenshot: 'only-on-failure',
  },
})
