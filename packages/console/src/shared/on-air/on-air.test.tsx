import { screen, waitFor, within } from '@testing-library/react'
import { controlEncoder } from '@trunkline/contract/encoders/encoder.calls'
import type { Failure } from '@trunkline/contract/failure.schema'
import { askOnAir, listOnAir, putOnAir, takeOffAir } from '@trunkline/contract/on-air/on-air.calls'
import type { OnAirMark, OnAirRefusal } from '@trunkline/contract/on-air/on-air.schema'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { openDashboard } from '../../encoders/dashboard/dashboard.fixture.ts'
import { refuse, refuseOddly, type FakeApi } from '../../test/fake-api.ts'
import { answerQuestion, findNotice, resetConsole } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { statusOf } from '../../test/samples.ts'

afterEach(resetConsole)

const LIMIT = { timeout: 10_000 }
const MARK: OnAirMark = {
  kind: 'encoder',
  id: 'a',
  fromMs: 0,
  untilMs: null,
  isOnAir: true,
  version: 1,
}
const REFUSAL: OnAirRefusal = {
  effects: [
    { kind: 'channel', id: 'c', title: 'Évening news, 2', effect: 'dark' },
    { kind: 'encoder', id: 'a', title: 'Camera a', effect: 'cut' },
  ],
  more: 0,
  hidden: 0,
  mayOverride: false,
}

/** Stop is refused until `isConfirmed`. */
async function openRefusing(
  refusal: OnAirRefusal,
  isConfirmed: (headers: Headers) => boolean,
  role: Role = 'manager',
) {
  const error = 'This interrupts something on air. Nothing was changed.'
  const failure: Failure = { status: false, error, msg: error, code: 'on_air', onAir: refusal }
  const scene = await openDashboard({
    role,
    programs: [statusOf('a', {})],
    prepare: (api) =>
      api
        .on(controlEncoder)
        .answer(({ headers }) =>
          isConfirmed(headers)
            ? { status: true, results: 'encoder0 STOPPED' }
            : refuseOddly(409, failure),
        ),
  })
  const card = await scene.card('Camera a')
  await scene.user.click(await within(card).findByRole('button', { name: 'Stop Camera a' }))
  await answerQuestion('Stop encoder')
  await screen.findByText('This interrupts what is on air:', {}, LIMIT)
  return { ...scene, error }
}

const commandsOf = (api: FakeApi) => api.askedOf(controlEncoder)

test('what is on air is named, and the call goes out again once its title is typed', async () => {
  const { api, user } = await openRefusing(REFUSAL, (headers) => headers.has('x-trunkline-on-air'))
  screen.getByText('Channel Évening news, 2 loses the stream.')
  screen.getByText('The signal after Encoder Camera a is interrupted.')
  const interrupt = screen.getByRole('button', { name: 'Interrupt' })
  expect(interrupt.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('button', { name: 'Interrupt without typing' })).toBeNull()
  const field = screen.getByLabelText('Type Évening news, 2 to interrupt it')
  await user.type(field, 'Evening news{Enter}')
  expect(commandsOf(api)).toHaveLength(1)
  await user.clear(field)
  await user.type(field, 'Évening news, 2')
  await user.click(interrupt)
  await waitFor(() => expect(commandsOf(api)).toHaveLength(2), LIMIT)
  expect(commandsOf(api)[1]?.headers.get('x-trunkline-on-air')).toBe(
    '%C3%89vening%20news%2C%202,Camera%20a',
  )
  await waitFor(() => expect(screen.queryByText('This interrupts what is on air:')).toBeNull())
})

test('one question names what stops and what loses the stream, and asks for the title', async () => {
  const { api, user, card } = await openDashboard({
    role: 'manager',
    programs: [statusOf('a', {})],
    prepare: (fake) => {
      fake.on(askOnAir).answer(() => ({ status: true, data: REFUSAL }))
      fake.on(controlEncoder).answer(() => ({ status: true, results: 'encoder0 STOPPED' }))
    },
  })
  const shown = await card('Camera a')
  const click = async () =>
    user.click(await within(shown).findByRole('button', { name: 'Stop Camera a' }))
  await click()
  await screen.findByText('This interrupts what is on air:', {}, LIMIT)
  screen.getByText('Channel Évening news, 2 loses the stream.')
  await user.click(screen.getByRole('button', { name: 'Keep running' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), LIMIT)
  expect(commandsOf(api)).toHaveLength(0)
  await click()
  await user.type(
    await screen.findByLabelText('Type Évening news, 2 to interrupt it', {}, LIMIT),
    'Évening news, 2',
  )
  await user.click(screen.getByRole('button', { name: 'Stop encoder' }))
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1), LIMIT)
  expect(commandsOf(api)[0]?.headers.get('x-trunkline-on-air')).toContain('%C3%89vening')
  const asked = api.askedOf(askOnAir)[0]?.body
  expect(asked).toMatchObject({ call: 'encoders.control', params: { id: 'a' } })
  expect(asked).toMatchObject({ body: commandsOf(api)[0]?.body })
})

/** Stop was pressed, and the API does not say yet what that would interrupt. */
async function openChecking() {
  const check = Promise.withResolvers<OnAirRefusal | null>()
  const scene = await openDashboard({
    role: 'manager',
    programs: [statusOf('a', {})],
    prepare: (fake) => {
      fake.on(askOnAir).answer(async () => ({ status: true, data: await check.promise }))
      fake.on(controlEncoder).answer(() => ({ status: true, results: 'encoder0 STOPPED' }))
    },
  })
  const shown = await scene.card('Camera a')
  await scene.user.click(await within(shown).findByRole('button', { name: 'Stop Camera a' }))
  const question = within(await screen.findByRole('dialog', { name: 'Are you sure?' }, LIMIT))
  question.getByText('Checking what this would interrupt …', { selector: 'p' })
  return { ...scene, question, check }
}

test('the question is there before its check, and takes a yes only after it', async () => {
  const { api, user, question, check } = await openChecking()
  await user.click(question.getByRole('button', { name: 'Stop encoder' }))
  expect(commandsOf(api)).toHaveLength(0)
  check.resolve(null)
  await answerQuestion('Stop encoder')
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1), LIMIT)
})

test('a check that the API never answers is not waited for, and the question takes a yes', async () => {
  const { api, question } = await openChecking()
  await question.findByText('Still checking what this would interrupt …', {}, LIMIT)
  await answerQuestion('Stop encoder')
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1), LIMIT)
})

test('a check that is late says in the open question what is interrupted, and the yes asks for its title', async () => {
  const { api, user, question, check } = await openChecking()
  await question.findByText('Still checking what this would interrupt …', {}, LIMIT)
  check.resolve(REFUSAL)
  await question.findByText(
    'This interrupts what is on air: Évening news, 2, Camera a',
    { selector: '[role=status]' },
    LIMIT,
  )
  await user.click(question.getByRole('button', { name: 'Stop encoder' }))
  await screen.findByLabelText('Type Évening news, 2 to interrupt it', {}, LIMIT)
  expect(commandsOf(api)).toHaveLength(0)
})

test('a check that is late and finds nothing on air ends its line in the open question', async () => {
  const { api, question, check } = await openChecking()
  const line = await question.findByText('Still checking what this would interrupt …', {}, LIMIT)
  check.resolve(null)
  await waitFor(() => expect(line.textContent).toBe(''), LIMIT)
  await answerQuestion('Stop encoder')
  await waitFor(() => expect(commandsOf(api)).toHaveLength(1), LIMIT)
})

test('a question that is answered with no before its check is not asked again', async () => {
  const { api, user, question, check } = await openChecking()
  await user.click(question.getByRole('button', { name: 'Keep running' }))
  check.resolve(REFUSAL)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull(), LIMIT)
  expect(screen.queryByText('This interrupts what is on air:')).toBeNull()
  expect(commandsOf(api)).toHaveLength(0)
})

test('a check that finds something on air puts its question in the place of the first', async () => {
  const { user, check } = await openChecking()
  check.resolve(REFUSAL)
  await user.type(
    await screen.findByLabelText('Type Évening news, 2 to interrupt it', {}, LIMIT),
    'Évening news, 2',
  )
  await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1), LIMIT)
})

test('keeping it on air sends nothing more and says why nothing was done', async () => {
  const { api, user, error } = await openRefusing(REFUSAL, () => false)
  await user.click(screen.getByRole('button', { name: 'Keep on air' }))
  await findNotice(error)
  expect(commandsOf(api)).toHaveLength(1)
})

test('an admin interrupts without typing', async () => {
  const { api, user } = await openRefusing(
    { ...REFUSAL, mayOverride: true },
    (headers) => headers.get('x-trunkline-on-air-override') === 'yes',
    'admin',
  )
  await user.click(screen.getByRole('button', { name: 'Interrupt without typing' }))
  await waitFor(() => expect(commandsOf(api)).toHaveLength(2), LIMIT)
})

test('what interrupts something on air in another group cannot be confirmed, except by an admin', async () => {
  await openRefusing({ effects: [], more: 0, hidden: 1, mayOverride: false }, () => false)
  screen.getByText('Something in another group loses the stream.')
  screen.getByText('Only an admin may interrupt it. Nothing was changed.')
  expect(screen.queryByRole('button', { name: 'Interrupt' })).toBeNull()
})

test('a card carries the tag while its encoder is on air, and its menu takes it off', async () => {
  const { api, user, card } = await openDashboard({
    programs: [statusOf('a', {})],
    prepare: (fake) => {
      fake.on(listOnAir).answer(() => ({
        status: true,
        data: [{ ...MARK, _id: 'm', title: 'Camera a', note: 'Match', by: 'Ada' }],
      }))
      fake.on(takeOffAir).answer(() => ({ status: true, id: 'a' }))
    },
  })
  const shown = await card('Camera a')
  expect(within(shown).queryByText('On air')).toBeNull()
  api.stream.push({ event: 'air', data: { marks: [{ ...MARK, isOnAir: false }] } })
  api.stream.push({ event: 'air', data: { marks: [MARK] } })
  await within(shown).findByText('On air', {}, LIMIT)
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await user.click(await screen.findByRole('menuitem', { name: 'On air…' }))
  await screen.findByText('On air, put on air by Ada.', {}, LIMIT)
  await user.click(screen.getByRole('button', { name: 'Take off air' }))
  await findNotice('Taken off air', 'Camera a')
  expect(api.askedOf(takeOffAir)[0]?.path).toBe('/api/on-air/encoder/a')
})

test('an encoder is put on air with a note; a refusal stands beside its field', async () => {
  let tries = 0
  const { api, user, card } = await openDashboard({
    programs: [statusOf('a', {})],
    prepare: (fake) => {
      fake.on(listOnAir).answer(() => ({ status: true, data: [] }))
      fake.on(putOnAir).answer(() => {
        tries += 1
        if (tries === 1) return refuse(400, 'until must be later than now.')
        return {
          status: true,
          data: { ...MARK, _id: 'm', title: 'Camera a', note: 'Match', by: 'Ada' },
        }
      })
    },
  })
  const shown = await card('Camera a')
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Put on air…' }))
  await user.type(await screen.findByLabelText('Note', {}, LIMIT), 'Match')
  await user.click(screen.getByRole('button', { name: 'Put on air' }))
  await screen.findByText('until must be later than now.', {}, LIMIT)
  await user.click(screen.getByRole('button', { name: 'Put on air' }))
  await findNotice('On air', 'Camera a')
  expect(api.askedOf(putOnAir)[1]?.body).toEqual({ from: null, until: null, note: 'Match' })
})

test('DLG-14 two clicks put it on air once', async () => {
  const answer = Promise.withResolvers<void>()
  const mark = { ...MARK, _id: 'm', title: 'Camera a', note: '', by: 'Ada' }
  const { api, user, card } = await openDashboard({
    programs: [statusOf('a', {})],
    prepare: (fake) => {
      fake.on(listOnAir).answer(() => ({ status: true, data: [] }))
      fake.on(putOnAir).answer(async () => {
        await answer.promise
        return { status: true, data: mark }
      })
    },
  })
  const shown = await card('Camera a')
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Put on air…' }))
  const button = await screen.findByRole('button', { name: 'Put on air' }, LIMIT)
  await user.click(button)
  expect(button.getAttribute('aria-busy')).toBe('true')
  await user.type(screen.getByLabelText('Note'), '{Enter}')
  answer.resolve()
  await findNotice('On air', 'Camera a')
  expect(api.askedOf(putOnAir)).toHaveLength(1)
})

test('a time that is none has the focus after Enter elsewhere; what was entered outlives the session', async () => {
  const scene = await openDashboard({
    programs: [statusOf('a', {})],
    prepare: (fake) => fake.on(listOnAir).answer(() => ({ status: true, data: [] })),
  })
  const open = async () => {
    await scene.user.click(await screen.findByRole('button', { name: 'More for Camera a' }))
    await scene.user.click(await screen.findByRole('menuitem', { name: 'Put on air…' }))
    return screen.findByLabelText<HTMLInputElement>('Note', {}, LIMIT)
  }
  const note = await open()
  const until = screen.getByLabelText<HTMLInputElement>(/^Until/)
  await scene.user.type(until, 'tonight')
  await scene.user.type(note, 'Match{Enter}')
  expect(document.activeElement).toBe(until)
  expect(scene.api.askedOf(putOnAir)).toEqual([])
  await comeBack(scene, 'admin')
  expect((await open()).value).toBe('Match')
  expect(screen.getByLabelText<HTMLInputElement>(/^Until/).value).toBe('tonight')
  await findNotice(TYPED_IS_BACK)
})

test('a monitor sees the tag and cannot put anything on air', async () => {
  const { api, user, card } = await openDashboard({
    role: 'monitor',
    programs: [statusOf('a', {})],
  })
  const shown = await card('Camera a')
  api.stream.push({ event: 'air', data: { marks: [MARK] } })
  await within(shown).findByText('On air', {}, LIMIT)
  await user.click(within(shown).getByRole('button', { name: 'More for Camera a' }))
  await screen.findByRole('menuitem', { name: 'Signal path' })
  expect(screen.queryByRole('menuitem', { name: 'On air…' })).toBeNull()
})
