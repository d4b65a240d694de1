/** The main job: a picture that travelled the whole chain, watched, stopped, started and killed. */
import { readLive } from '@trunkline/contract/fleet/fleet.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { Locator, Page } from '@playwright/test'
import { killHard } from './chain.steps.ts'
import { expect, openDashboard, test } from './site.fixture.ts'
import { openPage } from './page.steps.ts'
import { openChannel, pictureChanges, timeAdvances } from './player.steps.ts'

function demoCard(page: Page): Locator {
  return page.getByRole('article', { name: /Demo camera/ })
}

test.describe.configure({ mode: 'serial' })

test('CHAN-41 STATE-10 the channel plays; stopping the encoder takes card and channel down, starting brings the picture back', async ({
  page,
  site,
  otherOperator,
}) => {
  await openDashboard(page, site, 'editor')
  const viewer = await otherOperator('monitor')
  const dialog = await openChannel(viewer, site)
  await timeAdvances(dialog)
  await pictureChanges(dialog)

  await demoCard(page).getByRole('button', { name: 'Stop Demo camera', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'Are you sure?' })
    .getByRole('button', { name: 'Stop encoder' })
    .click()
  await expect(demoCard(page).getByText('Stopped', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Offline', { exact: true }).first()).toBeVisible()

  await demoCard(page).getByRole('button', { name: 'Start Demo camera', exact: true }).click()
  await expect(demoCard(page).getByText('Running', { exact: true })).toBeVisible()
  await expect(dialog.getByText('Online', { exact: true }).first()).toBeVisible()
  await timeAdvances(dialog)
  await pictureChanges(dialog)
})

/** By a busy machine; a killed process is back after a second. */
const SHOWN_WITHIN_MS = 20_000

test('STATE-10 a killed process is shown in every open browser without a click', async ({
  page,
  site,
  otherOperator,
}) => {
  await openDashboard(page, site, 'manager')
  const other = await otherOperator('monitor')
  await openPage(other, site, '/', 'Welcome to Trunkline')
  const running = [page, other].map((each) => demoCard(each).getByText('Running', { exact: true }))
  // It is started again at once: a browser that got no core for that second has not shown it.
  await expect(async () => {
    for (const state of running) await expect(state).toBeVisible()
    const { data } = await callApi(site.client, readLive, {})
    const encoder = data.programs.find((program) => program.id === site.ids.encoderId)
    const stopsShown = running.map(async (state) =>
      state.waitFor({ state: 'detached', timeout: SHOWN_WITHIN_MS }),
    )
    killHard(encoder?.pid)
    await Promise.all(stopsShown)
  }).toPass()
  for (const state of running) await expect(state).toBeVisible()
})
