import { expect, test } from 'vitest'
import { createNotices, type Notice } from './notices.ts'

const notice: Notice = { kind: 'gone', userId: 'u' }

test('every listener hears, also after one that throws, and none after it has left', () => {
  const faults: unknown[] = []
  const notices = createNotices((error) => faults.push(error))
  const heard: Notice[] = []
  notices.listen(() => {
    throw new Error('deaf')
  })
  const leave = notices.listen((item) => heard.push(item))
  notices.tell(notice)
  leave()
  notices.tell(notice)
  expect(heard).toEqual([notice])
  expect(faults).toHaveLength(2)
})
