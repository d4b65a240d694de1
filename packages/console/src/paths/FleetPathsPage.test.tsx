import { act, screen, waitFor, within } from '@testing-library/react'
import { listSignalPaths } from '@trunkline/contract/paths/path.calls'
import type { ShownHop, SignalPath } from '@trunkline/contract/paths/path.schema'
import { afterEach, expect, test } from 'vitest'
import { snapshotOf } from '../test/fake-stream.ts'
import { refuse } from '../test/fake-api.ts'
import { renderConsole, resetConsole } from '../test/render-console.tsx'
import { linkStatusOf } from '../test/link.samples.ts'

afterEach(resetConsole)

function inputPath(id: string, title: string): SignalPath {
  const self: ShownHop = {
    isShown: true,
    key: `input ${id}`,
    side: 'self',
    kind: 'input',
    id,
    title,
    groups: ['North'],
    server: 'Gateway 1',
    hostKey: 'host 1',
    isEnabled: true,
    isConfigured: true,
    inputType: 'SRT',
    link: { protocol: 'srt', mode: 'listen', host: '', port: 6000, latencyMs: 120 },
    serverId: 'gw',
    streamName: '',
    ownerId: '',
    groupId: 'north',
    state: { family: 'ok', shape: 'disc', word: 'Running', cause: '', sinceMs: null },
    facts: [],
  }
  return { hops: [self], edges: [], isCut: false }
}

const PATHS = [inputPath('a', 'Aerial'), inputPath('b', 'Bridge')]

test('all paths stand in a list with their live state and the reason of the first bad hop', async () => {
  const asked: unknown[] = []
  const { api, user, router } = renderConsole({
    path: '/dashboard/path',
    role: 'admin',
    prepare: (fake) => {
      fake.on(listSignalPaths).answer(({ query }) => {
        asked.push(Object.fromEntries(query))
        return { status: true, data: PATHS, total: 2, attention: 1 }
      })
    },
  })
  const table = within(await screen.findByRole('table', { name: 'Signal paths' }))
  await waitFor(() => expect(api.stream.isConnected()).toBe(true))
  const programs = [
    linkStatusOf('input', 'a', { peer: 'disconnected', cause: 'Nobody calls.' }),
    linkStatusOf('input', 'b'),
  ]
  act(() => api.stream.push(snapshotOf({ programs })))
  await table.findByText(/^First bad hop: input 'Aerial' on Gateway 1\./)
  expect(table.getByRole('list', { name: 'Hops of Bridge' })).toBeDefined()
  const link = table.getByRole('link', { name: 'Aerial' })
  expect(link.getAttribute('href')).toBe('/dashboard/path/input/a')
  await user.click(table.getByRole('button', { name: 'Expand the path of Aerial' }))
  expect(await table.findByRole('list', { name: 'Signal path' })).toBeDefined()
  await user.click(screen.getByRole('button', { name: /^Needs attention/ }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ show: 'attention', page: '0' }))
  expect(router.state.location.search).toMatchObject({ show: 'attention' })
})

test('a list that fails says so, and one without paths says what a path is', async () => {
  let isDown = true
  const { user } = renderConsole({
    path: '/dashboard/path',
    role: 'admin',
    prepare: (fake) => {
      fake.on(listSignalPaths).answer(() => {
        if (isDown) return refuse(500, 'The database cannot be reached.')
        return { status: true, data: [], total: 0, attention: 0 }
      })
    },
  })
  await screen.findByText('The signal paths could not be read.')
  isDown = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText('No signal paths yet')).toBeDefined()
})
