import { screen, waitFor, within } from '@testing-library/react'
import { addGroupUser, listGroups } from '@trunkline/contract/groups/group.calls'
import { afterEach, expect, test } from 'vitest'
import { ledGroup } from '../../test/place.samples.ts'
import { findNotice, resetConsole } from '../../test/render-console.tsx'
import { groupOf } from '../../test/samples.ts'
import { comeBack, TYPED_IS_BACK } from '../../test/session-steps.ts'
import { personOf } from '../../test/user.samples.ts'
import { openUsers } from '../users.fixture.ts'

afterEach(resetConsole)

test('the group that was chosen outlives the session, for that user alone', async () => {
  const people = [
    personOf('editor', { groups: [] }),
    personOf('monitor', { _id: 'm', fullName: 'Gallery monitor', groups: [] }),
  ]
  const scene = await openUsers({
    role: 'admin',
    others: people,
    prepare: (api) => {
      const data = [ledGroup('north', 'Sports North'), groupOf('south', 'Sports South')]
      api.on(listGroups).answer(() => ({ status: true, data, total: data.length }))
      api.on(addGroupUser).answer(() => ({ status: true, data: ledGroup('south', 'Sports South') }))
    },
  })
  const { user } = scene
  const open = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: `Add To Group: ${name}` }))
    return within(await screen.findByRole('dialog', { name: 'Select a group' }))
  }
  const south = { name: /Sports South/ }
  await user.click(await (await open('Gallery editor')).findByRole('radio', south))
  await comeBack(scene, 'admin')
  const other = await open('Gallery monitor')
  expect(await other.findByRole('radio', south)).toHaveProperty('checked', false)
  await user.click(other.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const again = await open('Gallery editor')
  expect(await again.findByRole('radio', south)).toHaveProperty('checked', true)
  await findNotice(TYPED_IS_BACK)
  await user.click(again.getByRole('button', { name: 'Add to group' }))
  await waitFor(() => expect(scene.api.askedOf(addGroupUser)).toHaveLength(1))
})
