import { screen, within } from '@testing-library/react'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { Role } from '@trunkline/contract/roles'
import { afterEach, expect, test } from 'vitest'
import { refuse } from '../../test/fake-api.ts'
import { inputOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { feederOf, feederStatusOf, fedBy, openFeeders } from './feeder.fixture.ts'

afterEach(resetConsole)

const NAME = 'Create the matching input'

interface Scene {
  /** Null: they cannot be read. */
  inputs?: readonly Input[] | null
  role?: Role
  addr?: string
  port?: number
}

async function openDetail({ inputs = [], role = 'manager', ...target }: Scene) {
  const { addr = '203.0.113.20:6022', port = 6022 } = target
  const west = feederOf('west')
  const output = west.output.map((one) => ({ ...one, addr, port }))
  const scene = await openFeeders({
    encoder: fedBy([{ ...west, output }]),
    programs: [feederStatusOf('west')],
    role,
    prepare: (api) =>
      api
        .on(listInputs)
        .answer(() =>
          inputs === null
            ? refuse(500, 'No database')
            : { status: true, contributions: [...inputs], total: inputs.length },
        ),
  })
  const shown = await scene.row('to west')
  await scene.user.click(within(shown).getByRole('button', { name: 'Expand to west' }))
  await within(scene.tab).findByRole('group', { name: 'Target status' })
  const address = () => scene.router.state.location
  const detail = async () =>
    within(await within(scene.tab).findByRole('group', { name: 'Matching input' }))
  return { ...scene, detail, address }
}

test('Q102 the form of the matching input opens for the server that the feeder calls', async () => {
  const { detail, user, address, api } = await openDetail({})
  const shown = await detail()
  await shown.findByText('No input that you can see listens at port 6022 of gw-west-02.')
  expect(api.askedOf(listInputs)[0]?.query.get('serverId')).toBe('gw-west')
  await user.click(shown.getByRole('button', { name: NAME }))
  expect(address().pathname).toBe('/dashboard/gw-west/north/contribution/new')
  expect(address().search).toEqual({ encoder: 'a', feeder: 'west' })
})

test('Q102 the server is left to be chosen where the feeder calls none of ours', async () => {
  const { detail, user, address } = await openDetail({ addr: '198.51.100.9:6022' })
  const shown = await detail()
  await shown.findByText(/Choose the server in the form/)
  await user.click(shown.getByRole('button', { name: NAME }))
  expect(address().pathname).toBe('/dashboard/none/north/contribution/new')
})

test('Q102 an input that receives the feeder already is named and linked', async () => {
  const config = { ...inputOf('a').config, port: '6022' }
  const { detail, user } = await openDetail({ inputs: [inputOf('b'), inputOf('a', { config })] })
  const shown = await detail()
  const link = await shown.findByRole('link', { name: 'Input a' })
  expect(link.getAttribute('href')).toBe('/dashboard/gw-west/north/contribution/a')
  const button = shown.getByRole('button', { name: NAME })
  expect(button.getAttribute('aria-disabled')).toBe('true')
  await user.hover(button)
  await screen.findByText("Input 'Input a' already listens at port 6022.")
})

test('Q102 says that the inputs could not be read, not that there is none', async () => {
  const { detail } = await openDetail({ inputs: null })
  const shown = await detail()
  await shown.findByText(/^The inputs of the server could not be read/)
  expect(shown.queryByText(/^No input/)).toBeNull()
})

test('Q102 no input can listen at a port below 1024', async () => {
  const { detail } = await openDetail({ addr: '203.0.113.20:443', port: 443 })
  const shown = await detail()
  await shown.findByText(/listens at port 443/)
  const button = shown.getByRole('button', { name: NAME })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test.each<Role>(['editor', 'monitor'])('ROLE-11 AO not offered to: %s', async (role) => {
  const { tab, api } = await openDetail({ role })
  expect(within(tab).queryByRole('group', { name: 'Matching input' })).toBeNull()
  expect(api.askedOf(listInputs)).toEqual([])
})
