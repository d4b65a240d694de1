import { screen, waitFor, within } from '@testing-library/react'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import type { Input } from '@trunkline/contract/contributions/input.schema'
import type { ProgramStatus } from '@trunkline/contract/fleet/fleet.schema'
import type { Role } from '@trunkline/contract/roles'
import type { Server } from '@trunkline/contract/servers/server.schema'
import { afterEach, expect, test } from 'vitest'
import { findServer, listServers } from '@trunkline/contract/servers/server.calls'
import { refuse } from '../../test/fake-api.ts'
import { inputOf, linkReadingOf, linkStatusOf } from '../../test/link.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { feederOf, feederStatusOf, fedBy, gatewayOf, openFeeders } from './feeder.fixture.ts'

afterEach(resetConsole)

const NAME = 'Create the matching input'

interface Scene {
  /** Null: they cannot be read. */
  inputs?: readonly Input[] | null
  role?: Role
  addr?: string
  port?: number
  /** Found by the address. */
  found?: readonly Server[]
  /** Of the input that receives it. */
  received?: ProgramStatus
}

async function openDetail(asked: Scene) {
  const { inputs = [], found = [], role = 'manager', received, ...target } = asked
  const { addr = '203.0.113.20:6022', port = 6022 } = target
  const west = feederOf('west')
  const output = west.output.map((item) => ({ ...item, addr, port }))
  const scene = await openFeeders({
    encoder: fedBy([{ ...west, output }]),
    programs: [feederStatusOf('west'), ...(received ? [received] : [])],
    role,
    prepare: (api) => {
      api.on(listServers).answer(() => ({ status: true, data: [...found], total: found.length }))
      api
        .on(listInputs)
        .answer(() =>
          inputs === null
            ? refuse(500, 'No database')
            : { status: true, contributions: [...inputs], total: inputs.length },
        )
    },
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
  await shown.findByText('No input that you can see listens on port 6022 of gw-west-02.')
  const [asked] = api.askedOf(listInputs)
  expect([asked?.query.get('serverId'), asked?.query.get('port')]).toEqual(['gw-west', '6022'])
  expect(api.askedOf(findServer).map(({ path }) => path)).toEqual(['/api/servers/gw-west'])
  expect(api.askedOf(listServers)).toEqual([])
  await user.click(shown.getByRole('button', { name: NAME }))
  expect(address().pathname).toBe('/dashboard/gw-west/north/contribution/new')
  expect(address().search).toEqual({ encoder: 'a', feeder: 'west' })
})

test('Q102 the server is left to be chosen where the feeder calls none of ours', async () => {
  const { detail, user, address, api } = await openDetail({ addr: '198.51.100.9:6022' })
  const shown = await detail()
  await shown.findByText(/Choose the server in the form/)
  const [asked] = api.askedOf(listServers)
  expect([asked?.query.get('address'), asked?.query.get('rowsPerPage')]).toEqual([
    '198.51.100.9',
    '1',
  ])
  expect(api.askedOf(listInputs)).toEqual([])
  await user.click(shown.getByRole('button', { name: NAME }))
  expect(address().pathname).toBe('/dashboard/none/north/contribution/new')
})

test('Q102 another server that has that address is used', async () => {
  const east = gatewayOf('gw-east', 'gw-east-01', '198.51.100.9')
  const { detail, api } = await openDetail({ addr: '198.51.100.9:6022', found: [east] })
  const shown = await detail()
  await shown.findByText('No input that you can see listens on port 6022 of gw-east-01.')
  expect(api.askedOf(listInputs)[0]?.query.get('serverId')).toBe('gw-east')
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
  await screen.findByText("Input 'Input a' already listens on port 6022.")
})

test.each([
  [1, ': 1 packet dropped on the way since it started.'],
  [1204, ': 1,204 packets dropped on the way since it started.'],
  [null, '.'],
])('the receiving input shows what it dropped: %s', async (droppedPackets, words) => {
  const config = { ...inputOf('a').config, port: '6022' }
  const received = linkStatusOf('input', 'a', { reading: linkReadingOf({ droppedPackets }) })
  const { detail } = await openDetail({ inputs: [inputOf('a', { config })], received })
  const link = await (await detail()).findByRole('link', { name: 'Input a' })
  await waitFor(() =>
    expect(link.parentElement?.textContent).toBe(`Received by input Input a on gw-west-02${words}`),
  )
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
  await shown.findByText(/listens on port 443/)
  const button = shown.getByRole('button', { name: NAME })
  expect(button.getAttribute('aria-disabled')).toBe('true')
})

test.each<Role>(['editor', 'monitor'])('ROLE-11 AO not offered to: %s', async (role) => {
  const { tab, api } = await openDetail({ role })
  expect(within(tab).queryByRole('group', { name: 'Matching input' })).toBeNull()
  expect(api.askedOf(listInputs)).toEqual([])
})
