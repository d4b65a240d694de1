/**
 * What a scrape of the API costs at 10,000 encoders on 2,500 hosts: time, bytes, time on a core, and
 * for how long nothing else has its turn. No database may be asked, so it must not depend on what is
 * stored.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@trunkline/testbed/seed'
import { watchLoop } from './kit/event-loop.ts'
import { atMost, cpuSecondsOf, median, percentile, printFigure, round } from './kit/figure.ts'
import { EMAIL, fillSite, PASSWORD, startApi } from './kit/large-site.ts'

const ENCODERS = 10_000
const SCRAPES = 200
const WARM_UP = 20

const folder = mkdtempSync(join(tmpdir(), 'trunkline-bench-metrics-'))
try {
  const dataDir = join(folder, 'data')
  // Nothing listens there: the hosts are away.
  await fillSite(dataDir, { encoders: ENCODERS, port: 9 })
  await using api = await startApi(dataDir)
  const { baseUrl, token } = await signIn(`http://127.0.0.1:${api.port}`, EMAIL, PASSWORD)
  const scrape = async () => {
    const startedAt = performance.now()
    const headers = { authorization: `Bearer ${token}` }
    const response = await fetch(`${baseUrl}/metrics`, { headers })
    const text = await response.text()
    if (!response.ok) throw new Error(`A scrape was answered ${response.status}: ${text}`)
    return { tookMs: performance.now() - startedAt, text }
  }
  for (let count = 0; count < WARM_UP; count++) await scrape()
  const loop = await watchLoop(api)
  const cpuBefore = cpuSecondsOf(api.pid)
  const tookMs: number[] = []
  for (let count = 0; count < SCRAPES; count++) tookMs.push((await scrape()).tookMs)
  const cpuMs = ((cpuSecondsOf(api.pid) - cpuBefore) * 1000) / SCRAPES
  const { text } = await scrape()
  printFigure({
    bench: 'metrics',
    rounds: SCRAPES,
    ours: {
      p50Ms: round(median(tookMs)),
      p99Ms: round(percentile(tookMs, 99)),
      cpuMs: round(cpuMs),
      bytes: text.length,
      series: text.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length,
    },
    limit: { encoders: ENCODERS },
    goals: [
      atMost('p99 of a scrape', percentile(tookMs, 99), 50, 'ms'),
      atMost('time on a core of a scrape', cpuMs, 10, 'ms'),
      await loop.goal(),
    ],
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
