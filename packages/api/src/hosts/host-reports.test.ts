import { expect, test } from 'vitest'
import { fakeReport } from '../testing/fake-host.ts'
import { HostReports } from './host-reports.ts'

const HOUR_MS = 3_600_000

/** Clocks of the API and of a host, and one that nobody sets. */
function clocks() {
  const times = { apiMs: 1_795_000_000_000, hostMs: 1_795_004_000_000, monotonicMs: 0 }
  const reports = new HostReports(() => times.monotonicMs)
  const report = { ...fakeReport('input-a', times.hostMs), startedAtMs: times.hostMs }
  reports.replace([report], times.apiMs - times.hostMs, times.apiMs)
  return {
    reports,
    pass(durationMs: number) {
      times.apiMs += durationMs
      times.hostMs += durationMs
      times.monotonicMs += durationMs
    },
    set(clock: 'apiMs' | 'hostMs', byMs: number) {
      times[clock] += byMs
    },
    read: () => reports.read([], times.apiMs - times.hostMs, times.apiMs),
    uptimeMs: () => times.apiMs - (reports.get('input-a')?.startedAtMs ?? NaN),
  }
}

test.each([HOUR_MS, -HOUR_MS])(
  'F11 an uptime stays what it is when the clock of the API is set by %i ms',
  (byMs) => {
    const { reports, pass, set, read, uptimeMs } = clocks()
    pass(60_000)
    read()
    set('apiMs', byMs)
    pass(1000)
    read()
    expect(uptimeMs()).toBe(61_000)
    expect(reports.takeShiftMs()).toBe(byMs)
    expect(reports.takeShiftMs()).toBe(0)
  },
)

test('F11 a clock of the host that is set leaves what was known', () => {
  const { reports, pass, set, read, uptimeMs } = clocks()
  pass(60_000)
  set('hostMs', HOUR_MS)
  read()
  expect(uptimeMs()).toBe(60_000)
  expect(reports.takeShiftMs()).toBe(0)
})

test('F11 a pause of the whole machine, in which hosts went on, is time that has passed', () => {
  const { reports, pass, set, read, uptimeMs } = clocks()
  pass(60_000)
  read()
  // Its monotonic clock stood still.
  set('apiMs', HOUR_MS)
  set('hostMs', HOUR_MS)
  read()
  expect(uptimeMs()).toBe(HOUR_MS + 60_000)
  expect(reports.takeShiftMs()).toBe(0)
})
