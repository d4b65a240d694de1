/** Browsers on the live stream of a site. */
import { onTestFinished } from 'vitest'
import { LiveReader } from '../../testing/live-reader.ts'
import type { PersonName } from '../../testing/people.ts'
import type { TestSite } from '../../testing/test-site.ts'

/** The site listens; `show` opens the live stream of a person who is shown these keys, until the test has ended. */
export async function listenLive(site: TestSite) {
  const address = await site.app.listen({ port: 0, host: '127.0.0.1' })
  const show = async (who: PersonName, keys: readonly string[]) => {
    const reader = await LiveReader.open(address, site.people[who].token, keys)
    onTestFinished(async () => reader[Symbol.asyncDispose]())
    return reader
  }
  return { show }
}
