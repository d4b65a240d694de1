/** 'Carry this encoder to…' on the real thing: by keys alone, a refusal, and then all three objects. */
import type { Page } from '@playwright/test'
import { listInputs } from '@trunkline/contract/contributions/input.calls'
import { listOutputs } from '@trunkline/contract/contributions/output.calls'
import { findEncoder } from '@trunkline/contract/encoders/encoder.calls'
import { removeFeeder } from '@trunkline/contract/encoders/feeder.calls'
import { callApi } from '@trunkline/testbed/api-client'
import type { DemoSite } from '@trunkline/testbed/demo'
import { expectNoFindingInLooks, LOOKS } from '../axe.steps.ts'
import { ownLiveEncoder, type OwnEncoder } from '../encoder.steps.ts'
import { button, dialogOf, expectNotice, openPage, rowOf, tabTo } from '../page.steps.ts'
import { removeLink } from '../second-gateway.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

/** A card that no other test of the demo host takes. */
const CARD = 6
const NAME = 'Carry this encoder to…'

/** The feeders of the encoder, and the inputs and outputs of its title. */
async function partsOf({ client }: DemoSite, { id, title }: OwnEncoder) {
  const encoder = await callApi(client, findEncoder, { params: { id } })
  const query = { page: 0, rowsPerPage: 0 }
  const inputs = (await callApi(client, listInputs, { query })).contributions
  const outputs = (await callApi(client, listOutputs, { query })).outputs
  return {
    feeders: encoder.data.config?.feeder ?? [],
    inputs: inputs.filter((input) => input.title === title),
    outputs: outputs.filter((output) => output.title === title),
  }
}

async function removeParts(site: DemoSite, camera: OwnEncoder): Promise<void> {
  const { feeders, inputs, outputs } = await partsOf(site, camera)
  const idOf = ({ id }: { id: string }) => id
  await removeLink(site, inputs.map(idOf), outputs.map(idOf))
  for (const { name: feederName } of feeders) {
    await callApi(site.client, removeFeeder, { params: { encoderId: camera.id, feederName } })
  }
}

async function openByKeys(page: Page, title: string) {
  await button(page, `More for ${title}`).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: NAME, exact: true })
  await expect(item).toBeVisible()
  await item.focus()
  await page.keyboard.press('Enter')
  const dialog = dialogOf(page, NAME)
  await expect(dialog.getByLabel('Name', { exact: true })).toBeFocused()
  return dialog
}

test('an encoder is carried by keys alone; a refusal leaves nothing behind', async ({
  page,
  site,
}) => {
  await using camera = await ownLiveEncoder(site, CARD)
  await using _parts = { [Symbol.asyncDispose]: async () => removeParts(site, camera) }
  await signIn(page, site, 'manager')
  await openPage(page, site, '/dashboard/managerEncoder', 'Encoders')
  const dialog = await openByKeys(page, camera.title)
  await expectNoFindingInLooks(page, LOOKS)

  await tabTo(page, dialog.getByLabel('Server', { exact: true }))
  await page.keyboard.type('Demo gateway')
  const port = dialog.getByLabel('Input port', { exact: true })
  await expect(port).toHaveValue(/^\d+$/)
  const free = await port.inputValue()
  const taken = String(site.plan.ports.feederToInput)
  await tabTo(page, port)
  await port.fill(taken)
  await tabTo(page, button(dialog, 'Manual'))
  await page.keyboard.press('Enter')
  await tabTo(page, dialog.getByLabel('Destination host', { exact: true }))
  await page.keyboard.type('127.0.0.1')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7000')
  const plan = dialog.getByRole('region', { name: 'Plan', exact: true })
  await expect(plan).toContainText(`Demo gateway listens on port ${taken}`)
  await expect(plan).toContainText('the input → 127.0.0.1:7000')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/^Input: Port \d+ of host 127\.0\.0\.1 is taken by/)).toBeVisible()
  await expect(port).toBeFocused()
  expect(await partsOf(site, camera)).toEqual({ feeders: [], inputs: [], outputs: [] })
  await expectNoFindingInLooks(page, LOOKS)

  await tabTo(page, button(dialog, `Use ${free}`))
  await page.keyboard.press('Enter')
  await expect(plan).toContainText(`Demo gateway listens on port ${free}`)
  await tabTo(page, button(dialog, 'Create all three'))
  await page.keyboard.press('Enter')
  await expectNotice(page, `Carried ${camera.title} to Demo gateway`, camera.title)
  const done = dialogOf(page, 'Encoder carried')
  await expect(button(done, 'Done')).toBeFocused()
  await expectNoFindingInLooks(page, LOOKS)
  const { feeders, inputs, outputs } = await partsOf(site, camera)
  expect(feeders.map(({ output }) => output[0]?.port)).toEqual([Number(free)])
  expect(inputs.map(({ config }) => Number(config.port))).toEqual([Number(free)])
  expect(outputs.map(({ contributionId }) => contributionId)).toEqual([inputs[0]?.id])

  await done.getByRole('link', { name: camera.title, exact: true }).first().click()
  await expect(rowOf(page, camera.title).getByText('Stopped', { exact: true })).toBeVisible()
})
