/** The player comes back by itself after each part of the chain was killed (dataplane 6.1). */
import { chainParts, killHard, victims } from './chain.steps.ts'
import { expect, signIn, test } from './site.fixture.ts'
import { openChannel, pictureChanges, timeAdvances } from './player.steps.ts'

test(`the ${chainParts.join(', the ')} are killed in turn, and the picture returns each time without a click`, async ({
  page,
  site,
}) => {
  await signIn(page, site, 'monitor')
  const dialog = await openChannel(page, site)
  await timeAdvances(dialog)
  for (const part of chainParts) {
    await test.step(`the ${part}`, async () => {
      let pid: number | null = null
      const look = () => (pid = victims(site)[part])
      await expect.poll(look, 'it runs').not.toBeNull()
      killHard(pid)
      await expect
        .poll(() => [pid, null].includes(victims(site)[part]), 'supervisord started another')
        .toBe(false)
      await timeAdvances(dialog)
      await pictureChanges(dialog)
    })
  }
})
