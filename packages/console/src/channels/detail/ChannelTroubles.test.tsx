/** What the detail says of a channel that is not well: each part its cause. */
import { within } from '@testing-library/react'
import { readStreams } from '@trunkline/contract/channels/channel.calls'
import { afterEach, expect, test } from 'vitest'
import { openedDialog } from '../../test/opened-dialog.ts'
import { streamOf } from '../../test/channel.samples.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openChannels } from '../channels.fixture.ts'

afterEach(resetConsole)

const AWAY = 'The far end does not answer. Check its address, and that it is running.'

async function openDetail(
  stream: ReturnType<typeof streamOf>,
  listed: 'listed' | 'gone' = 'listed',
) {
  const { row, user } = await openChannels({
    streams: [stream],
    prepare: (api) =>
      api
        .on(readStreams)
        .answer(() => ({ status: true, ...(listed === 'gone' ? {} : { streamDetail: stream }) })),
  })
  await user.click(within(await row(/Channel a/)).getByText('stream-01'))
  return openedDialog()
}

const region = (dialog: HTMLElement, name: string) => within(dialog).findByRole('region', { name })

test('CHAN-25 the current source without media is not shown as OK, and shows why', async () => {
  const dialog = await openDetail(
    streamOf('a', {
      inputs: [{ url: 'srt://198.51.100.7:7001', stats: { active: true, error: AWAY } }],
      stats: { alive: false, inputs_bandwidth: 0 },
    }),
  )
  const current = await region(dialog, 'Current source')
  expect(within(current).getByText('no media')).toBeDefined()
  expect(within(current).getByText(AWAY)).toBeDefined()
})

test('CHAN-26 the signal path names the first bad hop', async () => {
  const inputs = [{ url: 'rist://@:6020', stats: { active: true, error: AWAY } }]
  const dialog = await openDetail(streamOf('a', { inputs, stats: { alive: false } }))
  const way = await within(dialog).findByRole('list', { name: 'Signal path' })
  const hops = within(way).getAllByRole('listitem')
  expect(hops.map(({ textContent }) => textContent).slice(0, 2)).toEqual([
    'SourceRISTNo media',
    'Media serverstream-01Answers',
  ])
  expect(within(dialog).getByText(`First bad hop: Source. ${AWAY}`)).toBeDefined()
})

test('CHAN-25 a healthy current source shows only Active', async () => {
  const current = await region(await openDetail(streamOf('a')), 'Current source')
  expect(within(current).getByText('Active')).toBeDefined()
  expect(within(current).queryByText('no media')).toBeNull()
})

test('CHAN-25 CHAN-09 while the channel is off neither source is shown as ready', async () => {
  const ready = { bitrate: 4790, last_dts_at: Date.now() }
  const inputs = ['srt://:7016', 'srt://:7018'].map((url) => ({ url, stats: ready }))
  const dialog = await openDetail(streamOf('a', { disabled: true, inputs }))
  const standby = await within(dialog).findAllByRole('region', { name: /^Standby source/ })
  expect(standby.map((item) => within(item).queryByText('Off') !== null)).toEqual([true, true])
  expect(within(dialog).getAllByText('The channel is off.')).toHaveLength(2)
  expect(within(dialog).queryByText('Ready')).toBeNull()
})

test('CHAN-17 the input bitrate is labelled with stuffing, the played one without, and audio has a meter', async () => {
  const { stats } = streamOf('a')
  const audio_level = { peak_dbfs: [-18.2, -90], at: Date.now() }
  const dialog = await openDetail(streamOf('a', { stats: { ...stats, audio_level } }))
  const right = await within(dialog).findByRole('meter', { name: 'Audio peak right' })
  expect(right.getAttribute('aria-valuetext')).toBe('silent')
  const left = within(dialog).getByRole('meter', { name: 'Audio peak left' })
  expect(left.getAttribute('aria-valuetext')).toBe('-18.2 dBFS')
  expect((await region(dialog, 'Input')).textContent).toContain('4,523 kbit/s with stuffing')
  expect((await region(dialog, 'Output')).textContent).toContain('Bandwidth–')
})

test('CHAN-27 a push shows its full cause as a sentence', async () => {
  const stats = { status: 'retry', last_error: AWAY, retries: 2 }
  const dialog = await openDetail(
    streamOf('a', { pushes: [{ url: 'srt://198.51.100.20:9000', stats }] }),
  )
  expect(await within(dialog).findByText(`${AWAY} Tried 3 times.`)).toBeDefined()
})

test('CHAN-27 CHAN-30 a running push shows its bitrate; no push of a channel that is off does, or is Unknown', async () => {
  const stats = { status: 'running', bitrate: 4790, bytes: 1_240_000_000 }
  const pushes = [{ url: 'srt://198.51.100.20:9000', stats }]
  const dialog = await openDetail(streamOf('a', { pushes }))
  expect(await within(dialog).findByText('4,790 kbit/s, 1.2 GB sent')).toBeDefined()
  resetConsole()
  const off = await openDetail(streamOf('a', { pushes, disabled: true }))
  await within(off).findByText('the channel is off')
  expect(within(off).queryByText(/sent$/)).toBeNull()
  resetConsole()
  const unread = await openDetail(
    streamOf('a', { pushes: [{ url: 'srt://198.51.100.20:9000' }], disabled: true }),
  )
  await within(unread).findByText('the channel is off')
  expect(within(unread).queryByText('Unknown')).toBeNull()
})

test('CHAN-25 a healthy source that browsers cannot play says so', async () => {
  const unplayable = 'The picture is MPEG-2, which browsers cannot play. Choose a template.'
  const stats = { active: true, unplayable }
  const dialog = await openDetail(
    streamOf('a', { inputs: [{ url: 'udp://239.1.1.1:5000', stats }] }),
  )
  const current = await region(dialog, 'Current source')
  expect(within(current).getByText('Active')).toBeDefined()
  expect(within(current).getByText(unplayable)).toBeDefined()
})

test('Q129 the detail of a stream that its server no longer lists shows why, and neither on nor off', async () => {
  const dialog = await openDetail(streamOf('a'), 'gone')
  await within(dialog).findByText('no such stream')
  await within(dialog).findByText('The server does not list this stream any more.')
  expect(within(dialog).queryByText('Off')).toBeNull()
})
