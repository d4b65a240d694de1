import { screen, within } from '@testing-library/react'
import { cloneDestination } from '@trunkline/contract/contributions/destination.calls'
import { cloneInput } from '@trunkline/contract/contributions/input.calls'
import { cloneOutput } from '@trunkline/contract/contributions/output.calls'
import { nextFeederPort } from '@trunkline/contract/encoders/feeder.calls'
import { afterEach, expect, test } from 'vitest'
import { refuseOddly } from '../../test/fake-api.ts'
import { destinationOf, inputOf, outputOf } from '../../test/link.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { openContributions } from '../contributions.fixture.ts'

afterEach(resetConsole)

async function openClone(title: string, parts: Parameters<typeof openContributions>[0]) {
  const scene = await openContributions(parts)
  return { ...scene, ...(await openAt(title, scene)) }
}

async function openAt(
  title: string,
  { row, user }: Pick<Awaited<ReturnType<typeof openContributions>>, 'row' | 'user'>,
) {
  await row(title)
  await user.click(screen.getByRole('button', { name: `More for ${title}` }))
  await user.click(await screen.findByRole('menuitem', { name: 'Clone' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Clone/ }))
  const press = async (name: string) => user.click(dialog.getByRole('button', { name }))
  const valueOf = (label: string) => dialog.getByLabelText<HTMLInputElement>(label).value
  return { dialog, press, valueOf }
}

test('an input that listens is cloned onto a free port; a port that is taken is said at its field', async () => {
  const TAKEN = "Port 6010 is already used by input 'Other'. Choose another port."
  const { dialog, press, valueOf, user, api } = await openClone('Input a', {
    prepare: (fake) => {
      fake.on(nextFeederPort).answer(() => ({ status: true, data: 6010, port: 6010 }))
      fake
        .on(cloneInput)
        .answer(({ body }) =>
          JSON.stringify(body).includes('6010')
            ? refuseOddly(409, { status: false, error: TAKEN, msg: TAKEN, field: 'config.port' })
            : { status: true, data: inputOf('b', { title: 'Second' }), id: 'b' },
        )
    },
  })
  expect(valueOf('Title')).toBe('Input a copy')
  await dialog.findByDisplayValue('6010')
  await press('Clone input')
  await dialog.findByText(TAKEN)
  await user.clear(dialog.getByLabelText('Port'))
  await user.type(dialog.getByLabelText('Port'), '6012')
  await press('Clone input')
  await screen.findByText('Contribution added successfully')
  expect(api.askedOf(cloneInput).map(({ path, body }) => [path, body])).toEqual([
    ['/api/contribution/clone/a', { title: 'Input a copy', port: 6010 }],
    ['/api/contribution/clone/a', { title: 'Input a copy', port: 6012 }],
  ])
})

test('an output that calls keeps the port of the far end', async () => {
  const { press, valueOf, api } = await openClone('Output o', {
    path: '/dashboard/contribution?tab=outputs',
    outputs: [outputOf('o')],
    prepare: (fake) =>
      fake.on(cloneOutput).answer(() => ({ status: true, data: outputOf('p'), id: 'p' })),
  })
  expect(valueOf('Port')).toBe(String(outputOf('o').config.port))
  await press('Clone output')
  await screen.findByText('Output added successfully')
  expect(api.askedOf(cloneOutput).map(({ body }) => body)).toEqual([
    { title: 'Output o copy', port: Number(outputOf('o').config.port) },
  ])
})

test('a destination is cloned under another title, which it needs', async () => {
  const { dialog, press, user, api } = await openClone('Destination d', {
    path: '/dashboard/contribution?tab=destinations',
    destinations: [destinationOf('d')],
    prepare: (fake) =>
      fake
        .on(cloneDestination)
        .answer(() => ({ status: true, msg: 'Saved.', data: destinationOf('n') })),
  })
  await user.clear(dialog.getByLabelText('Title'))
  await press('Clone destination')
  dialog.getByText('This field is required')
  await user.type(dialog.getByLabelText('Title'), 'Second')
  await press('Clone destination')
  await screen.findByText('Destination added successfully')
  expect(api.askedOf(cloneDestination).map(({ body }) => body)).toEqual([{ title: 'Second' }])
})

test('what was typed for the copy of a link outlives the session; of another link nothing is there', async () => {
  const scene = await openClone('Input a', {
    inputs: [inputOf('a'), inputOf('b')],
    prepare: (fake) =>
      fake.on(nextFeederPort).answer(() => ({ status: true, data: 6010, port: 6010 })),
  })
  const { user, dialog } = scene
  await user.type(dialog.getByLabelText('Title'), ' for Lyon')
  await user.clear(dialog.getByLabelText('Port'))
  await user.type(dialog.getByLabelText('Port'), '6020')
  await comeBack(scene, 'admin')
  const other = await openAt('Input b', scene)
  expect(other.valueOf('Title')).toBe('Input b copy')
  await other.press('Cancel')
  const { valueOf } = await openAt('Input a', scene)
  expect([valueOf('Title'), valueOf('Port')]).toEqual(['Input a copy for Lyon', '6020'])
  await findNotice(TYPED_IS_BACK)
})

test('what was typed for the copy of a destination outlives the session', async () => {
  const scene = await openClone('Destination d', {
    path: '/dashboard/contribution?tab=destinations',
    destinations: [destinationOf('d')],
  })
  await scene.user.type(scene.dialog.getByLabelText('Title'), ' 2')
  await comeBack(scene, 'admin')
  const { valueOf } = await openAt('Destination d', scene)
  expect(valueOf('Title')).toBe('Destination d copy 2')
})
