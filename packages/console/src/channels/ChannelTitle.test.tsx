import { screen, within } from '@testing-library/react'
import { renameChannel } from '@trunkline/contract/channels/channel.calls'
import { afterEach, expect, test } from 'vitest'
import { channelOf } from '../test/channel.samples.ts'
import { refuseOddly } from '../test/fake-api.ts'
import { findNotice, resetConsole } from '../test/render-console.tsx'
import { bodiesOf, openChannels as open } from './channels.fixture.ts'

afterEach(resetConsole)

test('a title that somebody else’s save refused stays in its field, and Enter saves it on that', async () => {
  const theirs = channelOf('a', { title: 'Theirs', version: 2 })
  const sentence = 'Demo Admin has saved this channel since you opened it.'
  const { row, user, api } = await open({
    prepare: (fake) =>
      fake.on(renameChannel).answer(() =>
        refuseOddly(409, {
          status: false,
          error: sentence,
          msg: sentence,
          code: 'conflict',
          current: theirs,
        }),
      ),
  })
  await user.dblClick(within(await row(/Channel a/)).getByRole('button', { name: 'Channel a' }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Title of Channel a' })
  await user.clear(field)
  await user.type(field, 'Mine{Enter}')
  await findNotice(sentence, 'Theirs')
  expect([field.isConnected, field.value]).toEqual([true, 'Mine'])
  const data = channelOf('a', { title: 'Mine', version: 3 })
  api.on(renameChannel).answer(() => ({ status: true, data }))
  await user.keyboard('{Enter}')
  await screen.findByText('Channel title updated successfully!')
  expect(bodiesOf(api, renameChannel)).toEqual([
    { title: 'Mine', version: 1 },
    { title: 'Mine', version: 2 },
  ])
})
