/** A process killed on the host to the change on the dashboard of an open browser, on an idle host. */
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import { openBenchSite, openBrowser, signIn } from './kit/site.ts'
import { atMost, median, printFigure, spread } from './kit/figure.ts'

const ROUNDS = 7

await using site = await openBenchSite()
await site.picture()
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await signIn(page, site)
  const card = page.getByRole('article', { name: /Demo camera/ })
  await card.getByText('Running', { exact: true }).waitFor()
  const ours: number[] = []
  const limit: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const pid = await encoderPid(null)
    const left = card.getByText('Running', { exact: true }).waitFor({ state: 'detached' })
    const killedAt = performance.now()
    process.kill(pid, 'SIGKILL')
    const gone = processGone(pid).then(() => limit.push(performance.now() - killedAt))
    await left
    ours.push(performance.now() - killedAt)
    await gone
    await encoderPid(pid)
    await card.getByText('Running', { exact: true }).waitFor()
  }
  printFigure({
    bench: 'kill',
    rounds: ROUNDS,
    ours: { killedToDashboardMs: spread(ours) },
    limit: { killedToGoneFromProcMs: spread(limit) },
    goals: [atMost('killed process to dashboard', median(ours), 1000, 'ms')],
  })
} finally {
  await browser.close()
}

/** The running encoder's pid, once it is another one than `not`. */
async function encoderPid(not: number | null): Promise<number> {
  for (;;) {
    const { data } = await callApi(site.client, readLive, {})
    const encoder = data.programs.find((program) => program.kind === 'encoder')
    if (encoder?.state === 'running' && encoder.pid !== null && encoder.pid !== not) {
      return encoder.pid
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

async function processGone(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}
