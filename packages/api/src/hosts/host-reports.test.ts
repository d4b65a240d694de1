/** Times of a host in the clock of the API, while clocks are set. */
import { expect, test } from 'vitest'
import { fakeReport } from '../testing/fake-host.ts'
import { HostReports } from './host-reports.ts'

const HOUR_MS = 3_600_000

/** Clocks of the API and of a host, and one that nobody sets. */
function clocks() {
  const times = { apiMs: 1_795_000_000_000, hostMs: 1_795_004_000_000, monotonicMs: 0 }
  let reports = new HostReports(() => times.monotonicMs)
  const report = { ...fakeReport('input-a', times.hostMs), startedAtMs: times.hostMs }
  reports.replace([report], times.apiMs - times.hostMs, times.apiMs)
  const offsetMs = () => times.apiMs - times.hostMs
  return {
    reports,
    /** The same again, as when something else of the program has changed. */
    reportAgain: () => reports.put(report, offsetMs(), times.apiMs),
    restart: () => {
      Object.assign(report, { startedAtMs: times.hostMs, sinceMs: times.hostMs, pid: 2 })
    },
    /** A new link to the host, which says everything anew. */
    linkAgain: () => {
      const before = reports
      reports = new HostReports(() => times.monotonicMs)
      reports.copyFrom(before)
      reports.replace([report], offsetMs(), times.apiMs)
    },
    pass: (durationMs: number) => {
      times.apiMs += durationMs
      times.hostMs += durationMs
      times.monotonicMs += durationMs
    },
    set: (clock: 'apiMs' | 'hostMs', byMs: number) => {
      times[clock] += byMs
    },
    read: () => reports.read([], offsetMs(), times.apiMs),
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

test.each([HOUR_MS, -HOUR_MS])(
  'F11 an uptime stays what it is when the host reports again after its clock was set by %i ms',
  (byMs) => {
    const { reportAgain, linkAgain, pass, set, uptimeMs } = clocks()
    pass(60_000)
    set('hostMs', byMs)
    reportAgain()
    expect(uptimeMs()).toBe(60_000)
    pass(1000)
    reportAgain()
    linkAgain()
    expect(uptimeMs()).toBe(61_000)
    set('hostMs', -byMs)
    reportAgain()
    linkAgain()
    expect(uptimeMs()).toBe(61_000)
  },
)

test('F11 the uptime of a program that starts while the clock of the host is wrong stays right', () => {
  const { reportAgain, restart, pass, set, uptimeMs } = clocks()
  pass(60_000)
  set('hostMs', HOUR_MS)
  restart()
  reportAgain()
  pass(1000)
  reportAgain()
  expect(uptimeMs()).toBe(1000)
  set('hostMs', -HOUR_MS)
  reportAgain()
  expect(uptimeMs()).toBe(1000)
})

test('F11 an uptime stays what it is when both clocks are set one after the other', () => {
  const { reportAgain, pass, set, read, uptimeMs } = clocks()
  pass(60_000)
  set('hostMs', HOUR_MS)
  reportAgain()
  set('apiMs', -HOUR_MS)
  read()
  reportAgain()
  expect(uptimeMs()).toBe(60_000)
})
