/**
 * T12: a host that was taken over sends 100,000 messages that no agent sends. The API goes on, what
 * it knows of another host stays as it was, and its memory does not grow.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { HostMessage } from '@trunkline/contract/agent/host-link.messages'
import { expect, test } from 'vitest'
import { fakeReport } from '@trunkline/api/testing/fake-host'
import { addTestEncoder, openTestSite, type TestSite } from '@trunkline/api/testing/test-site'
import { atMost, round } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import { damaged, randomOf } from './damage.ts'
import { printProof } from './proof.ts'

const MESSAGES = settingOf('MESSAGES', 100_000)
const SEED = settingOf('SEED', 1)
/** Then both ends are asked whether they still answer. */
const MESSAGES_OF_A_TURN = 500
const GROWTH_MEGABYTES = 50
const LONGEST_MS = 50

test('what a broken host sends reaches nobody else', async () => {
  await using site = await openTestSite()
  await addTestEncoder(site, 0)
  const honest = site.linkHost
  honest.change('input-honest', { state: 'running', wanted: 'running' })
  const evil = site.encoderHost
  const faults: string[] = []
  await bothAnswer(site)
  const before = knownOf(site)
  const random = randomOf(SEED)
  const samples = sampleMessages(site).map((text) => new TextEncoder().encode(text))
  const atFirst = heapMegabytes()
  let longestMs = 0
  for (let sent = 0; sent < MESSAGES; sent += MESSAGES_OF_A_TURN) {
    for (let at = 0; at < MESSAGES_OF_A_TURN; at += 1) {
      evil.tellRaw(new TextDecoder().decode(damaged(samples, random)))
    }
    if (sent % (MESSAGES_OF_A_TURN * 20) === 0) evil.tellRaw(oneThatIsTooMuch(sent))
    const beginMs = performance.now()
    await bothAnswer(site)
    longestMs = Math.max(longestMs, (performance.now() - beginMs) / MESSAGES_OF_A_TURN)
    if (knownOf(site) !== before) faults.push(`After ${sent} messages another host has changed.`)
    if (faults.length > 0) break
  }
  const growth = heapMegabytes() - atFirst
  const missed = printProof('answers', {
    ours: { messages: MESSAGES, growthMegabytes: round(growth), msEach: round(longestMs) },
    faults,
    goals: [
      atMost('changes of other hosts, and failures', faults.length, 0, 'changes'),
      atMost('memory kept', growth, GROWTH_MEGABYTES, 'MB'),
      atMost('slowest message of a turn, on average', longestMs, LONGEST_MS, 'ms'),
    ],
  })
  expect(missed).toEqual([])
})

/** What is known of the other host, but for when it was heard. */
function knownOf({ ctx, linkHost }: TestSite): string {
  const link = ctx.hosts.link({ host: '127.0.0.1', port: linkHost.port })
  const reports = (link?.reports.all() ?? []).map((report) => ({ ...report, readAtMs: 0 }))
  return JSON.stringify([link?.capabilities, reports, ctx.hosts.records().length])
}

/** A link that the host has lost by what it sent is made anew. */
async function bothAnswer({ ctx, encoderHost, linkHost }: TestSite): Promise<void> {
  for (const { port } of [linkHost, encoderHost]) {
    const address = { host: '127.0.0.1', port }
    await ctx.hosts.linked(address)
    await ctx.hosts
      .link(address)
      ?.ping()
      .catch(() => undefined)
  }
}

/** What a real agent sends, with names of programs of the other host too. */
function sampleMessages({ encoderHost, ctx }: TestSite): string[] {
  const nowMs = encoderHost.nowMs()
  const link = ctx.hosts.link({ host: '127.0.0.1', port: encoderHost.port })
  const capabilities = link?.capabilities ?? {}
  const report = fakeReport('input-honest', nowMs)
  const reading = {
    kind: 'link',
    protocol: 'srt',
    direction: 'send',
    packets: 1,
    lostPackets: 0,
    retransmittedPackets: 0,
    droppedPackets: 0,
    atMs: nowMs,
    bitrateKbps: 4000,
    rttMs: 20,
  }
  const programs = [report, { ...report, programId: 'encoder-evil', state: 'running' }]
  const messages = [
    { type: 'hello', seatKind: 'encoder', nowMs, capabilities, programs },
    { type: 'hello', seatKind: 'channel', nowMs, capabilities, programs: [] },
    { type: 'program', nowMs, report },
    { type: 'program', nowMs, report: { ...report, state: 'running', cause: '\u001b[31mred' } },
    { type: 'removed', programId: 'input-honest' },
    { type: 'restart', programId: 'input-honest', atMs: nowMs, restarts: 9, cause: 'x' },
    { type: 'readings', nowMs, readings: [{ programId: 'input-honest', reading }] },
    { type: 'health', health: { disk: { path: '/', freeBytes: 0, totalBytes: 1, state: 'full' } } },
    { type: 'confirm', id: 1 },
    { type: 'answer', id: 1, result: { programId: 'x' } },
    { type: 'failure', id: 1, failure: { code: 'refused', message: '<script>alert(1)</script>' } },
  ]
  const wrong = messages.filter((message) => !HostMessage.safeParse(message).success)
  if (wrong.length > 0) throw new Error(`Not messages of an agent: ${JSON.stringify(wrong)}`)
  return messages.map((message) => JSON.stringify(message))
}

/** Larger than is taken, nested deeper than is read, or with names that objects have by themselves. */
function oneThatIsTooMuch(turn: number): string {
  const kinds = [
    () => 'x'.repeat(100_000_000),
    () => `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    () => `{"type":"program","nowMs":1,"report":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
    () =>
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"type":"hello"}',
    () => `{"type":"removed","programId":"${'y'.repeat(10_000_000)}"}`,
  ]
  return kinds[(turn / MESSAGES_OF_A_TURN) % kinds.length]?.() ?? ''
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

function heapMegabytes(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1_000_000
}
