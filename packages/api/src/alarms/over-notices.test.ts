import { expect, onTestFinished, test, vi } from 'vitest'
import { createNotices, type Notice } from '../notices.ts'
import { AlarmBoard } from './alarm-board.ts'
import type { StoredAlarm } from './alarm.store.ts'
import { OverNotices } from './over-notices.ts'

const PACE_MS = 2000

function openNotices() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const alarms = new AlarmBoard({
    clock: () => 0,
    maySee: () => true,
    maintenanceUntilMs: () => null,
    visibleTo: () => '',
  })
  const over = new Map<string, number>()
  const notices = createNotices(() => undefined)
  const heard: Notice[] = []
  notices.listen((notice) => heard.push(notice))
  const overSinceMs = (key: string) => over.get(key) ?? null
  const overNotices = new OverNotices({ alarms, notices, overSinceMs })
  onTestFinished(() => overNotices[Symbol.dispose]())
  const set = (id: string, sinceMs: number | null) => {
    const key = `input ${id}`
    if (alarms.at(key) === undefined) {
      alarms.put({ kind: 'input', id, alarmId: `alarm-${id}`, causedBy: null } as StoredAlarm)
    }
    if (sinceMs === null) over.delete(key)
    else over.set(key, sinceMs)
    overNotices.look(key)
  }
  return { set, heard, alarms }
}

test('the first end of an alarm is sent at once, and changes soon after it together', () => {
  const { set, heard, alarms } = openNotices()
  set('a', 10)
  vi.advanceTimersByTime(0)
  expect(heard).toEqual([{ kind: 'alarmsOver', alarms: [{ id: 'alarm-a', sinceMs: 10 }] }])
  for (let at = 0; at < 1000; at++) {
    set(`flaps${at}`, 20)
    set(`flaps${at}`, null)
    set(`ends${at}`, 30)
  }
  vi.advanceTimersByTime(PACE_MS - 1)
  expect(heard).toHaveLength(1)
  vi.advanceTimersByTime(1)
  expect(heard).toHaveLength(2)
  expect(heard[1]).toMatchObject({ alarms: { length: 1000 } })
  const sinceMs = [...alarms.all()].map((alarm) => alarms.overSinceMs(alarm))
  expect(sinceMs.filter((at) => at === null)).toHaveLength(1000)
  set('a', 10)
  vi.advanceTimersByTime(PACE_MS)
  expect(heard).toHaveLength(2)
})
