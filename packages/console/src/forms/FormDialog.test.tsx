/** What a dialog with a form does, whatever its fields are. */
import { MantineProvider } from '@mantine/core'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { LATE_AFTER_MS, watchAnswer } from '../lib/answer/late-answer.ts'
import { ApiError } from '../lib/api-error.ts'
import { clearToasts } from '../lib/toast.ts'
import { makeRouterAt, RouterAt } from '../test/render-at.tsx'
import { FormText } from './DialogFields.tsx'
import { FormDialog } from './FormDialog.tsx'
import { useForm } from './form.hook.ts'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
  clearToasts()
})

type Save = (title: string) => Promise<void>

function PlaceDialog({ save, onClose }: { save: Save; onClose: () => void }) {
  const form = useForm({
    initial: { title: '' },
    version: null,
    check: () => ({}),
    save: async ({ title }) => save(title),
    onSaved: onClose,
    labels: { title: 'Title' },
    fallback: 'The place was not added.',
  })
  return (
    <FormDialog title="New place" width={440} form={form} saveLabel="Save" onClose={onClose}>
      <FormText form={form} name="title" data-autofocus />
    </FormDialog>
  )
}

function Places({ save }: { save: Save }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <MantineProvider env="test">
      <button type="button" onClick={() => setOpen(true)}>
        Add place
      </button>
      {isOpen && <PlaceDialog save={save} onClose={() => setOpen(false)} />}
    </MantineProvider>
  )
}

/** With 'Studio' typed; `saved`: what was sent. */
async function openTyped(answer: () => Promise<void>) {
  const saved: string[] = []
  const save = async (title: string) => {
    saved.push(title)
    return answer()
  }
  const router = makeRouterAt('/', () => <Places save={save} />)
  render(<RouterAt router={router} />)
  const user = userEvent.setup()
  const open = async () => {
    await user.click(await screen.findByRole('button', { name: 'Add place' }))
    return within(await screen.findByRole('dialog', { name: 'New place' }))
  }
  const dialog = await open()
  await user.type(dialog.getByLabelText('Title'), 'Studio')
  const press = async (label: string) => user.click(dialog.getByRole('button', { name: label }))
  return { dialog, open, press, saved, user }
}

const isGone = async () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

test.each(['{Escape}', 'Cancel', 'Close'])(
  'DLG-13 closed by %s it saves nothing, gives the focus back, and opens clean again',
  async (way) => {
    const { open, press, saved, user } = await openTyped(async () => Promise.resolve())
    await (way === '{Escape}' ? user.keyboard(way) : press(way))
    await isGone()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Add place' }))
    expect((await open()).getByLabelText<HTMLInputElement>('Title').value).toBe('')
    expect(saved).toEqual([])
  },
)

test('DLG-14 two clicks save once', async () => {
  const answer = Promise.withResolvers<void>()
  const { dialog, press, saved } = await openTyped(async () => answer.promise)
  await press('Save')
  await press('Save')
  const button = dialog.getByRole('button', { name: 'Save' })
  expect(['aria-busy', 'aria-disabled'].map((name) => button.getAttribute(name))).toEqual([
    'true',
    'true',
  ])
  answer.resolve()
  await isGone()
  expect(saved).toEqual(['Studio'])
})

test.each([
  ['the sentence of the API', 'This title is in use.', 'This title is in use.'],
  ['else the text of the form', '', 'The place was not added.'],
])(
  'ERR-01 DLG-08 a save that is refused shows %s, and what was typed stays',
  async (_, given, shown) => {
    const { dialog, press } = await openTyped(async () => {
      const none = { code: null, field: null, issues: [], current: null, changed: [] }
      return Promise.reject(
        new ApiError({ ...none, kind: 'refused', status: 409, sentence: given }),
      )
    })
    await press('Save')
    await dialog.findByText(shown)
    expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Studio')
  },
)

test('DLG-14 a late answer is named in the dialog, which keeps what was typed', async () => {
  const answer = Promise.withResolvers<void>()
  const { dialog } = await openTyped(async () => watchAnswer(answer.promise))
  vi.useFakeTimers()
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  const regions = () => dialog.getAllByRole('status').map(({ textContent }) => textContent)
  expect(regions()).toEqual([''])
  await act(async () => vi.advanceTimersByTimeAsync(LATE_AFTER_MS))
  expect(regions()[0]).toMatch(
    /^3 s without an answer from the console server\. Neither closing a dialog nor leaving/,
  )
  expect(dialog.getByLabelText<HTMLInputElement>('Title').value).toBe('Studio')
  vi.useRealTimers()
  answer.resolve()
  await isGone()
})

test('an answer that comes after its dialog was closed leaves the next dialog open', async () => {
  const answer = Promise.withResolvers<void>()
  const { open, press, saved, user } = await openTyped(async () => answer.promise)
  await press('Save')
  await press('Cancel')
  await isGone()
  const next = await open()
  await user.type(next.getByLabelText('Title'), 'Gallery')
  await act(async () => {
    answer.resolve()
    await answer.promise
  })
  expect(next.getByLabelText<HTMLInputElement>('Title').value).toBe('Gallery')
  expect(screen.getByRole('dialog', { name: 'New place' })).toBeTruthy()
  expect(saved).toEqual(['Studio'])
})
