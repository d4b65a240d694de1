/**
 * The break test's site without a break: half an hour in which nothing is wrong, and no alarm may be
 * raised, while an operator's page is open. `BENCH_MINUTES=5`: shorter. The load of the machine is
 * printed beside it, since what starves a stream is no false alarm.
 */
import { loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { listAlarmHistory, listAlarms } from '@trunkline/contract/alarms/alarm.calls'
import type { Alarm } from '@trunkline/contract/alarms/alarm.schema'
import { callApi } from '@trunkline/testbed/api-client'
import { atMost, cpuSecondsOf, printFigure, round, spread } from '../kit/figure.ts'
import { settingOf } from '../kit/settings.ts'
import type { BenchSite } from '../kit/site.ts'
import { openShownSite } from './shown.ts'

const MINUTES = settingOf('MINUTES', 30)
const LOOK_MS = 5000
/** Far more than anybody would call quiet. */
const MOST_ALARMS = 100

await using shown = await openShownSite()
const { site } = shown.on
const begin = { ms: Date.now(), cpuS: apiCpuS(site) }
const loads: number[] = []
while (Date.now() - begin.ms < MINUTES * 60_000) {
  await pause(LOOK_MS)
  loads.push(loadavg()[0] ?? 0)
}
const raised = await raisedSince(site, begin.ms)
printFigure({
  bench: 'quiet',
  rounds: 1,
  ours: {
    minutes: MINUTES,
    alarms: raised.map(({ kind, title, rule, sentence }) => ({ kind, title, rule, sentence })),
    apiCores: round((apiCpuS(site) - begin.cpuS) / ((Date.now() - begin.ms) / 1000)),
    load: spread(loads),
  },
  limit: {},
  goals: [atMost('alarms while nothing is wrong', raised.length, 0, 'alarms')],
})

function apiCpuS({ api }: BenchSite): number {
  return cpuSecondsOf(api.pid)
}

/** First causes and what they caused, open or cleared. */
async function raisedSince({ client }: BenchSite, sinceMs: number): Promise<Alarm[]> {
  const [open, history] = await Promise.all([
    callApi(client, listAlarms, { query: { rowsPerPage: 24 } }),
    callApi(client, listAlarmHistory, { query: { limit: MOST_ALARMS } }),
  ])
  const all = new Map([...open.data, ...history.data].map((alarm) => [alarm._id, alarm]))
  return [...all.values()].filter(({ raisedAt }) => Date.parse(raisedAt) >= sinceMs)
}
