/** The frame of the page on a telephone. */
import type { Locator } from '@playwright/test'
import { ownSilentEncoder } from '../encoder.steps.ts'
import { button, MOST_STOPS, tabTo } from '../page.steps.ts'
import { expect, signIn, test } from '../site.fixture.ts'

test.use({ demoEncoder: 'stopped' })

test('NAV-22 Q7 on a narrow screen the tabs of the header give way to the bar at the foot', async ({
  page,
  site,
}) => {
  await signIn(page, site, 'monitor')
  await page.goto(`${site.url}/`)
  const tabs = page.getByRole('banner').getByRole('link', { name: 'Channels', exact: true })
  const bar = page.getByRole('navigation').filter({ hasText: 'More' })
  await expect(tabs).toBeVisible()
  await expect(bar).toBeHidden()
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(tabs).toBeHidden()
  await bar.getByRole('link', { name: 'Channels' }).click()
  await expect(page).toHaveURL(/\/dashboard\/channel$/)
  await expect(bar.getByRole('button', { name: 'More' })).toBeInViewport()
})

test('CFG-01 CFG-02 on a narrow screen the header of the configuration stays small and the open tab visible', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard/edit_encoder/${site.ids.encoderId}?tab=feeder`)
  const open = page.getByRole('tab', { name: /^Feeder/, selected: true })
  await expect(open).toBeInViewport({ ratio: 1 })
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeInViewport()
  const heading = page.getByRole('heading', { name: 'Configure Encoder', exact: true })
  const first = page.getByRole('main').getByLabel('Name', { exact: true })
  await expect(heading).toBeInViewport()
  const place = await first.boundingBox()
  // Under the top bar and the page's own head: in the first quarter of the screen.
  expect(place?.y).toBeLessThan(844 / 4)
  expect((await open.boundingBox())?.y).toBeLessThan(844 / 2)
  // Whatever is scrolled, sideways or down, the open tab stays.
  await page.getByRole('tab', { name: /^Video/ }).scrollIntoViewIfNeeded()
  await page.getByRole('tablist').evaluate((list) => list.scrollTo({ left: 0 }))
  await expect(open).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(open).toBeInViewport({ ratio: 1 })
})

test('Q148 on a narrow screen a notice covers neither the warning nor the buttons of a dialog', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard`)
  await page
    .getByRole('main')
    .getByRole('button', { name: /^More for / })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Schedules…' }).click()
  const dialog = page.getByRole('dialog')
  // By the keyboard: the pointer stays on the notice, which waits for it.
  const press = async (name: string) =>
    dialog.getByRole('button', { name, exact: true }).press('Enter')
  // What the form offers is another minute in the next minute.
  const moment = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16).replace('T', ' ')
  const fillMoment = async () => dialog.getByLabel('Date and time', { exact: true }).fill(moment)
  await press('Add schedule')
  await fillMoment()
  await press('Add')
  const notices = page.getByRole('region', { name: 'Notices' })
  await notices.getByText('Schedule added').hover()
  await press('Add schedule')
  await fillMoment()
  const warning = dialog.getByText(/is due at the same minute/)
  await expect(warning).toBeVisible()
  const covered = await boxOf(notices)
  for (const part of [warning, ...(await dialog.locator('[data-footer] button').all())]) {
    await expect(part).toBeInViewport({ ratio: 1 })
    const { y, height } = await boxOf(part)
    expect(y + height <= covered.y || y >= covered.y + covered.height).toBe(true)
  }
})

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It is not shown.')
  return box
}

test('on a narrow screen the title of a wide dialog stands before its way out', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard/userManager`)
  await page.getByRole('button', { name: 'Import or export CSV' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import or export users' })
  const buffer = Buffer.from('email,firstName\nnobody@trunkline.example,No\n')
  const file = { name: 'users.csv', mimeType: 'text/csv', buffer }
  await dialog.getByLabel('CSV file').setInputFiles(file)
  await dialog.getByRole('table').waitFor()
  const title = await dialog.getByRole('heading', { name: /^Import or export users/ }).boundingBox()
  const close = await dialog.getByRole('button', { name: 'Close', exact: true }).boundingBox()
  expect(title?.x).toBeLessThan(close?.x ?? 0)
})

test('design 7 on a narrow screen the keys lead to the headings that sort, and these are shown', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard/userManager`)
  await button(page, 'Edit Demo Manager North').waitFor()
  for (const name of ['User Name', 'Email', 'Role']) {
    const heading = page.getByRole('columnheader').getByRole('button', { name, exact: true })
    await tabTo(page, heading)
    await expect(heading).toBeInViewport({ ratio: 1 })
    expect(await isOnTop(heading), name).toBe(true)
  }
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/sort=role/)
  // Past them they are gone again, and the first row is free.
  await page.keyboard.press('Tab')
  const first = page.getByRole('main').getByRole('row').nth(1).getByRole('button').first()
  await expect(first).toBeFocused()
  expect(await isOnTop(first)).toBe(true)
})

test('design 7 on a narrow screen no field that has the focus is under the buttons that save', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard/edit_encoder/${site.ids.encoderId}?tab=mux`)
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('textbox').first().focus()
  const isInside = async () => panel.evaluate((element) => element.contains(document.activeElement))
  const covered: string[] = []
  for (let stop = 0; stop < MOST_STOPS && (await isInside()); stop += 1) {
    const focused = page.locator(':focus')
    if (!(await isOnTop(focused))) covered.push(await focused.evaluate((it) => it.outerHTML))
    await page.keyboard.press('Tab')
  }
  expect(covered).toEqual([])
})

/** Whether it is what a finger at its middle would touch. */
async function isOnTop(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const found = document.elementFromPoint(left + width / 2, top + height / 2)
    return found !== null && (element.contains(found) || found.contains(element))
  })
}

test('design 7 at 400 % zoom a form and a dialog leave room for the field that has the focus', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 225 })
  await signIn(page, site, 'superadmin')
  await page.goto(`${site.url}/dashboard/edit_encoder/${site.ids.encoderId}?tab=mux`)
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('textbox').first().focus()
  await page.keyboard.press('Tab')
  expect(await isOnTop(page.locator(':focus'))).toBe(true)
  await page.goto(`${site.url}/dashboard/server`)
  await button(page, 'Add server').press('Enter')
  const title = page.getByRole('dialog').getByLabel('Title', { exact: true })
  await title.focus()
  await expect(title).toBeInViewport({ ratio: 1 })
  expect(await isOnTop(title)).toBe(true)
})

test.describe('in French, which is longer', () => {
  test.use({ locale: 'fr-FR', viewport: { width: 390, height: 844 }, hasTouch: true })

  test('CHAN-12 on a narrow screen the row of a channel says in full why it has no picture', async ({
    page,
    site,
  }) => {
    await signIn(page, site, 'superadmin')
    await page.goto(`${site.url}/dashboard/channel`)
    const cause = page.getByText(/^L'extrémité distante est connectée, mais n'envoie pas d'image/)
    await expect(cause).toBeVisible()
    expect(await cutPixelsOf(cause)).toBe(0)
  })

  test('ENC-08 on a narrow screen the row of an encoder says in full that its host is not encrypted', async ({
    page,
    site,
  }) => {
    await signIn(page, site, 'superadmin')
    await page.goto(`${site.url}/dashboard/managerEncoder`)
    const notice = page.getByRole('main').getByText('non chiffré', { exact: true })
    await expect(notice).toBeVisible()
    expect(await cutPixelsOf(notice)).toBe(0)
  })

  test('on a narrow screen the head of Configure Encoder and of its schedules shows its buttons whole', async ({
    page,
    site,
  }) => {
    await signIn(page, site, 'superadmin')
    await page.setViewportSize({ width: 360, height: 800 })
    await page.goto(`${site.url}/dashboard/edit_encoder/${site.ids.encoderId}`)
    const schedules = page.getByRole('button', { name: /^Planifications/ })
    await expect(schedules).toBeInViewport({ ratio: 1 })
    await schedules.press('Enter')
    const dialog = page.getByRole('dialog')
    const add = dialog.getByRole('button', { name: 'Ajouter une planification' })
    await expect(add).toBeVisible()
    expect(await cutPixelsOf(add)).toBe(0)
  })

  test('on a narrow screen the alarm rules show their names in full', async ({ page, site }) => {
    await signIn(page, site, 'superadmin')
    await page.goto(`${site.url}/dashboard/alarm?view=rules`)
    const name = page.getByRole('rowheader').filter({ hasText: 'Nombreux mots de passe' })
    await name.waitFor()
    expect(await cutPixelsOf(name)).toBe(0)
  })

  test('design 7 at 320 pixels nothing of the cards, the views of alarms and the addresses of people is cut', async ({
    page,
    site,
  }) => {
    await signIn(page, site, 'superadmin')
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(`${site.url}/dashboard`)
    const restart = page.getByRole('article').getByText('Redémarrer', { exact: true }).first()
    await restart.waitFor()
    const beyond = await restart.evaluate((text) => {
      const words = document.createRange()
      words.selectNodeContents(text)
      const whole = text.closest('button')?.getBoundingClientRect().right ?? 0
      return words.getBoundingClientRect().right - whole
    })
    expect(beyond).toBeLessThan(0)
    await page.goto(`${site.url}/dashboard/alarm`)
    await expect(page.getByRole('button', { name: 'Règles' })).toBeInViewport({ ratio: 1 })
    expect(await cutPixelsOf(page.getByRole('group').filter({ hasText: 'Règles' }))).toBe(0)
    await page.goto(`${site.url}/dashboard/userManager`)
    const address = page.getByRole('cell', { name: 'superadmin@trunkline.example' })
    await address.waitFor()
    expect(await cutPixelsOf(address)).toBe(0)
  })

  test('on a narrow screen the worst alarm shows the longest rule in full', async ({
    page,
    site,
  }) => {
    await using _ = await ownSilentEncoder(site)
    await signIn(page, site, 'superadmin')
    await page.goto(`${site.url}/dashboard`)
    const cause = page
      .getByRole('region', { name: 'Alarme la plus grave' })
      .locator('span:has(> span > time)')
    await cause.waitFor()
    // Which of its alarms is the worst is the site's matter.
    const rule = cause.locator('> span').first()
    await rule.evaluate((span) => {
      span.textContent = 'Nombreux mots de passe ou codes erronés'
    })
    expect(await cutPixelsOf(rule)).toBe(0)
  })

  test('on a narrow screen a preview of a CSV file shows how many rows have errors', async ({
    page,
    site,
  }) => {
    await signIn(page, site, 'superadmin')
    await page.goto(`${site.url}/dashboard/userManager`)
    await page.getByRole('button', { name: 'Importer ou exporter en CSV' }).click()
    const dialog = page.getByRole('dialog')
    const buffer = Buffer.from('email,firstName\nnobody,No\n')
    const file = { name: 'users.csv', mimeType: 'text/csv', buffer }
    await dialog.locator('input[type="file"]').setInputFiles(file)
    const chosen = dialog.getByRole('button', { name: /^Avec erreurs/, pressed: true })
    await expect(chosen).toBeInViewport({ ratio: 1 })
    for (const view of await dialog.getByRole('group').getByRole('button').all()) {
      await expect(view).toBeInViewport({ ratio: 1 })
    }
  })
})

/** How much of a line of text its own box hides. */
async function cutPixelsOf(line: Locator): Promise<number> {
  return line.evaluate((text) => text.scrollWidth - text.clientWidth)
}
