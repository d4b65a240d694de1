import { fireEvent } from '@testing-library/react'
import { listAllEncoders } from '@trunkline/contract/encoders/encoder.calls'
import { afterEach, expect, test } from 'vitest'
import { readSession } from '../lib/session.ts'
import { storage } from '../lib/storage.ts'
import { openedDialog } from '../test/opened-dialog.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { userOf } from '../test/samples.ts'

afterEach(resetConsole)

function open(path: string, role: 'admin') {
  return renderConsole({
    path,
    role,
    prepare: (api) =>
      api.on(listAllEncoders).answer(() => ({ status: true, result: [], total: 0 })),
  })
}

test('Q14 one tab signs out, the other follows', async () => {
  const scene = open('/dashboard/userManager', 'admin')
  await scene.screen.findByRole('button', { name: /^Account of / })
  localStorage.removeItem('token')
  fireEvent(window, new StorageEvent('storage', { key: 'token', newValue: null }))
  await scene.screen.findByRole('heading', { name: /Sign in/ })
  expect(readSession()).toBeNull()
})

test('Q14 what one person has opened is gone once another has signed in in another tab', async () => {
  const scene = open('/', 'admin')
  await scene.user.click(await scene.screen.findByRole('button', { name: /^Account of / }))
  await openedDialog()
  const other = userOf('editor', { fullName: 'Other Person' })
  storage.user.write(other)
  localStorage.setItem('token', 'token-of-the-other')
  fireEvent(window, new StorageEvent('storage', { key: 'token', newValue: 'token-of-the-other' }))
  await scene.screen.findByRole('button', { name: /^Account of Other Person/ })
  expect(scene.screen.queryByRole('dialog')).toBeNull()
})
