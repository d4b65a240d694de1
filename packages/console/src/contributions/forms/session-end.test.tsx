import { act, screen, waitFor } from '@testing-library/react'
import { jwtLogin } from '@trunkline/contract/session/session.calls'
import { afterEach, expect, test } from 'vitest'
import { beginSession, endSession } from '../../lib/session.ts'
import { inputOf } from '../../test/link.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { userOf } from '../../test/samples.ts'
import { openForm, PATHS } from './link-form.fixture.ts'

afterEach(resetConsole)

const BACK = 'What you entered before you were signed out is here again. It is not saved.'
const ENDED = 'Your session was ended. Please sign in again.'

/** Types a latency, is signed out, and signs in as `id`, who is led back to the page. */
async function typeAndComeBack(id: string, meanwhile: (held: { inputs: unknown[] }) => void) {
  const form = await openForm(PATHS.input)
  await form.type('Latency', '400')
  act(() => endSession(ENDED))
  await screen.findByLabelText('Email')
  meanwhile(form.held)
  const user = userOf('admin', { _id: id, id })
  form.api.on(jwtLogin).answer(() => ({ status: true, user, token: user.token }))
  act(() => beginSession(user, user.token))
  await waitFor(() => expect(form.pathname()).toBe(PATHS.input))
  return form
}

const { _id: SAME } = userOf('admin')

test('what was typed when the session ended is there again after a sign-in', async () => {
  const { valueOf } = await typeAndComeBack(SAME, () => undefined)
  await waitFor(async () => expect(await valueOf('Latency')).toBe('400'))
  await findNotice(BACK)
  screen.getByText('1 unsaved change')
})

test('what somebody else saved meanwhile is merged into it', async () => {
  const { valueOf } = await typeAndComeBack(SAME, (held) => {
    held.inputs = [inputOf('a', { version: 9, title: 'Their title' })]
  })
  await waitFor(async () => expect(await valueOf('Title')).toBe('Their title'))
  expect(await valueOf('Latency')).toBe('400')
})

test('whoever else signs in finds the form as it is saved', async () => {
  const { valueOf } = await typeAndComeBack('somebody-else', () => undefined)
  await waitFor(async () => expect(await valueOf('Latency')).toBe('300'))
  expect(screen.queryByText(BACK)).toBeNull()
})
