import { act, renderHook } from '@testing-library/react'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ApiError } from '../lib/api-error.ts'
import { useToasts } from '../lib/toast.ts'
import { readCurrentBy, useForm, type FormOptions } from './form.hook.ts'

interface Values {
  title: string
  ports: string
}

const EMPTY = { sentence: '', code: null, field: null, issues: [], current: null, changed: [] }

function refusal(more: Partial<ApiError>): ApiError {
  return new ApiError({ ...EMPTY, kind: 'refused', status: 400, ...more })
}

function formOf(more: Partial<FormOptions<Values>> = {}) {
  return renderHook(() =>
    useForm<Values>({
      initial: { title: '', ports: '1' },
      version: 3,
      check: ({ title }) => (title === '' ? { title: 'Title is required' } : {}),
      save: async () => Promise.resolve(),
      fallback: 'Failed to save',
      ...more,
    }),
  ).result
}

async function submit(form: ReturnType<typeof formOf>) {
  await act(async () => {
    form.current.submit()
    await Promise.resolve()
  })
}

test('a field shows its error once it was left, all fields after a submit, which then sends nothing', async () => {
  let saves = 0
  const form = formOf({
    save: async () => {
      saves += 1
      return Promise.resolve()
    },
  })
  expect(form.current.errorOf('title')).toBe('')
  act(() => form.current.leave('title'))
  expect(form.current.errorOf('title')).toBe('Title is required')
  await submit(form)
  expect(saves).toBe(0)
})

test('a fault that a choice makes after a save was tried is shown once its field was left', async () => {
  const form = formOf({
    check: ({ title, ports }) =>
      ports === '' ? { ports: 'Ports are required' } : title === '' ? { title: 'Required' } : {},
  })
  await submit(form)
  expect(form.current.errorOf('title')).toBe('Required')
  act(() => form.current.set({ ports: '' }))
  expect(form.current.errorOf('ports')).toBe('')
  act(() => form.current.leave('ports'))
  expect(form.current.errorOf('ports')).toBe('Ports are required')
})

test('the server’s errors are shown at their fields until they are edited, and what was typed stays', async () => {
  const issues = [
    { field: 'title', message: 'title is taken.' },
    { field: 'ports.0', message: 'ports.0 must be a port.' },
  ]
  const form = formOf({
    save: async () => Promise.reject(refusal({ sentence: 'Both are wrong.', issues })),
  })
  act(() => form.current.set({ title: 'North' }))
  await submit(form)
  expect([form.current.errorOf('title'), form.current.errorOf('ports')]).toEqual([
    'title is taken.',
    'ports.0 must be a port.',
  ])
  expect([form.current.values.title, form.current.failure]).toEqual(['North', ''])
  act(() => form.current.set({ title: 'West' }))
  expect([form.current.errorOf('title'), form.current.errorOf('ports')]).toEqual([
    '',
    'ports.0 must be a port.',
  ])
})

test('ERR-02 an error without a field is shown for the whole form, with the fallback when it has no text', async () => {
  const sentences = ['The host is in use.', '']
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    save: async () => Promise.reject(refusal({ sentence: sentences.shift() ?? '', status: 409 })),
  })
  await submit(form)
  expect(form.current.failure).toBe('The host is in use.')
  await submit(form)
  expect(form.current.failure).toBe('Failed to save')
})

test.each([
  [
    'of a change, what to do is save again',
    3,
    /^Unknown error\..* right now\. It may .* Save again/,
  ],
  ['of something new, look first', null, /^Unknown error\..* right now\. It may .* Check the list/],
])('ERR-06 a save whose answer was lost may have worked: %s', async (_, version, sentence) => {
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    version,
    save: async () => Promise.reject(refusal({ kind: 'no-answer', status: 0 })),
  })
  await submit(form)
  expect(form.current.failure).toMatch(sentence)
})

test('a conflict’s current object becomes the form’s; anything else does not', () => {
  const Saved = z.object({ title: z.string(), version: z.number() })
  const read = readCurrentBy(Saved, ({ title }) => ({ title, ports: '1' }))
  const current = { title: 'North', version: 7 }
  expect(read(current)).toEqual({ values: { title: 'North', ports: '1' }, version: 7 })
  expect(read({ title: 'North' })).toBeNull()
})

test('ERR-06 a change whose answer was lost is saved again over itself', async () => {
  const versions: (number | null)[] = []
  const answers = [
    async () => Promise.reject(refusal({ kind: 'no-answer', status: 0 })),
    async () => Promise.reject(refusal({ status: 409, current: { title: 'West', ports: '1' } })),
    async () => Promise.resolve(),
  ]
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    save: async (_, version) => {
      versions.push(version)
      return answers[versions.length - 1]?.()
    },
    readCurrent: (current) => ({ values: current as Values, version: 4 }),
  })
  act(() => form.current.set({ title: 'West' }))
  await submit(form)
  await submit(form)
  expect(versions).toEqual([3, 3, 4])
  expect([form.current.failure, form.current.conflict]).toEqual(['', null])
})

test('Q148 the notice of a failed save goes when the save is tried again', async () => {
  const sentences = ['The host is in use.']
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    save: async () => {
      const sentence = sentences.shift()
      if (sentence !== undefined) throw refusal({ sentence, status: 409 })
      return Promise.resolve()
    },
  })
  const { result } = renderHook(() => useToasts())
  const shown = () => result.current.map(({ title }) => title)
  await submit(form)
  expect(shown()).toContain('The host is in use.')
  await submit(form)
  expect(shown()).not.toContain('The host is in use.')
})

test('DLG-14 a second submit while one is under way sends nothing', async () => {
  const answers: (() => void)[] = []
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    save: async () => new Promise<void>((resolve) => answers.push(resolve)),
  })
  await submit(form)
  expect(form.current.isPending).toBe(true)
  await submit(form)
  expect(answers).toHaveLength(1)
  await act(async () => {
    answers[0]?.()
    await Promise.resolve()
  })
  expect(form.current.isPending).toBe(false)
})

test('a conflict offers theirs, or mine over theirs, and names what differs', async () => {
  const current = { title: 'Theirs', ports: '2', version: 7 }
  const saved: [string, number | null][] = []
  const options: Partial<FormOptions<Values>> = {
    initial: { title: 'Mine', ports: '1' },
    labels: { title: 'Title', ports: 'Ports' },
    asTyped: ['title'],
    save: async ({ title }, version) => {
      saved.push([title, version])
      if (version === 7) return Promise.resolve()
      return Promise.reject(
        refusal({ sentence: 'Somebody else saved it.', status: 409, current, changed: ['title'] }),
      )
    },
    readCurrent: () => ({
      values: { title: current.title, ports: current.ports },
      version: current.version,
    }),
  }
  const kept = formOf(options)
  await submit(kept)
  expect(kept.current.conflict).toMatchObject({
    sentence: 'Somebody else saved it.',
    differs: ["Title (now 'Theirs')", 'Ports'],
  })
  await act(async () => {
    kept.current.conflict?.keepMine()
    await Promise.resolve()
  })
  expect(saved).toEqual([
    ['Mine', 3],
    ['Mine', 7],
  ])
  const taken = formOf(options)
  await submit(taken)
  act(() => taken.current.conflict?.takeTheirs())
  expect(taken.current.values).toEqual({ title: 'Theirs', ports: '2' })
  expect([taken.current.isChanged, taken.current.conflict]).toEqual([false, null])
})

test('an object that is read late gives its values and its version; what was typed stays', async () => {
  const saved: [Values, number | null][] = []
  const parts: Partial<FormOptions<Values>> = {
    version: null,
    save: async (values, version) => {
      saved.push([values, version])
      return Promise.resolve()
    },
  }
  const [idle, typed] = [formOf(parts), formOf(parts)]
  act(() => typed.current.set({ title: 'Typed' }))
  for (const form of [idle, typed]) {
    act(() => form.current.adopt({ title: 'Read', ports: '2' }, 7))
    await submit(form)
  }
  expect(saved).toEqual([
    [{ title: 'Read', ports: '2' }, 7],
    [{ title: 'Typed', ports: '2' }, 7],
  ])
})

test('a save that conflicts in the version only is retried', async () => {
  const saved: (number | null)[] = []
  const form = formOf({
    initial: { title: 'North', ports: '1' },
    save: async (_, version) => {
      saved.push(version)
      if (version === 7) return Promise.resolve()
      return Promise.reject(
        refusal({ sentence: 'Somebody else saved it.', status: 409, current: 1 }),
      )
    },
    readCurrent: () => ({ values: { title: 'North', ports: '1' }, version: 7 }),
  })
  act(() => form.current.set({ title: 'Typed' }))
  await submit(form)
  expect(saved).toEqual([3, 7])
  expect([form.current.conflict, form.current.failure]).toEqual([null, ''])
})
