/** The Sync dialog, opened on the Channels page in front of a fake API and its media server. */
import { screen, within } from '@testing-library/react'
import { readStreams, saveChannels } from '@trunkline/contract/channels/channel.calls'
import type { StreamDetail } from '@trunkline/contract/channels/stream.schema'
import { streamOf } from '../../test/channel.samples.ts'
import type { FakeApi } from '../../test/fake-api.ts'
import { bodiesOf, type ChannelSite, openChannels } from '../channels.fixture.ts'

interface SyncSite extends ChannelSite {
  /** What the media server lists. */
  listed: readonly StreamDetail[]
}

export async function openSync(parts: Partial<SyncSite> = {}) {
  const { listed = [streamOf('a'), streamOf('b'), streamOf('c')] } = parts
  const scene = await openChannels({
    ...parts,
    prepare: (api) => {
      api.on(readStreams).answer(() => ({
        status: true,
        streams: { streams: [...listed], estimated_count: listed.length },
      }))
      api.on(saveChannels).answer(() => ({ status: true, data: [] }))
      parts.prepare?.(api)
    },
  })
  const { user } = scene
  await user.click((await screen.findAllByRole('button', { name: '+ Sync' }))[0] as HTMLElement)
  await screen.findByRole('dialog', { name: /^Sync channels/ })
  const button = (name: string) => inside().getByRole('button', { name })
  const goOn = async () => {
    await inside().findByRole('option', { name: 'stream-01' })
    await user.selectOptions(inside().getByRole('combobox', { name: 'Server' }), 'stream-01')
    await user.click(button('Continue'))
  }
  return { ...scene, button, goOn }
}

/** The dialog's second step is another dialog than its first. */
export function inside() {
  const dialog = screen.getAllByRole('dialog').at(-1)
  if (dialog === undefined) throw new Error('No dialog is open.')
  return within(dialog)
}

export async function fieldOf(name: string) {
  return inside().findByRole<HTMLSelectElement>('combobox', { name })
}

export async function tickOf(name: RegExp) {
  return screen.findByRole<HTMLInputElement>('checkbox', { name })
}

export function savedNames(api: FakeApi): string[][] {
  return bodiesOf(api, saveChannels).map((body) =>
    (body as { name: string }[]).map(({ name }) => name),
  )
}
