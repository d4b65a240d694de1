import { within } from '@testing-library/react'
import { readStreams } from '@trunkline/contract/channels/channel.calls'
import { linkHistory, type LinkPoint } from '@trunkline/contract/contributions/history.calls'
import { afterEach, expect, test } from 'vitest'
import { openedDialog } from '../../test/opened-dialog.ts'
import { streamOf } from '../../test/channel.samples.ts'
import { type FakeApi, refuse } from '../../test/fake-api.ts'
import { resetConsole } from '../../test/render-console.tsx'
import { openChannels } from '../channels.fixture.ts'

afterEach(resetConsole)

function pointOf(ageMs: number, kbps: number): LinkPoint {
  const rate = { min: kbps - 100, avg: kbps, max: kbps + 100 }
  const nothing = { packets: 0, lostPackets: null, retransmittedPackets: 0, droppedPackets: null }
  return { atMs: Date.now() - ageMs, bitrateKbps: rate, rttMs: null, ...nothing }
}

async function openDetail(prepare: (fake: FakeApi) => void) {
  const stream = streamOf('a')
  const { row, user, api } = await openChannels({
    streams: [stream],
    prepare: (fake) => {
      fake.on(readStreams).answer(() => ({ status: true, streamDetail: stream }))
      prepare(fake)
    },
  })
  await user.click(within(await row(/Channel a/)).getByText('stream-01'))
  const dialog = await openedDialog()
  return { api, input: within(await within(dialog).findByRole('region', { name: 'Input' })) }
}

test('CHAN-26 the bandwidth chart is filled from the stored history when the detail opens', async () => {
  const { api, input } = await openDetail((fake) =>
    fake.on(linkHistory).answer(({ query }) => ({
      status: true,
      fromMs: 0,
      toMs: 0,
      stepMs: 10_000,
      series: [
        { id: query.get('ids') ?? '', points: [pointOf(120_000, 4000), pointOf(60_000, 4200)] },
      ],
    })),
  )
  const line = await input.findByRole('img', {
    name: /^Bitrate of the last 5 minutes: 3,900 to 4,\d+ kbit\/s$/,
  })
  expect(line).toBeDefined()
  expect(Object.fromEntries(api.askedOf(linkHistory)[0]?.query ?? [])).toMatchObject({
    kind: 'channel',
    ids: 'id-a',
    span: '5m',
  })
})

test('CHAN-26 the bandwidth is shown without a stored history too', async () => {
  const { input } = await openDetail((fake) =>
    fake.on(linkHistory).answer(() => refuse(500, 'Something went wrong.')),
  )
  expect(await input.findByText('4,523')).toBeDefined()
})
