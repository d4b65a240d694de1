import { saveFeeder } from '@trunkline/contract/encoders/feeder.calls'
import type { TestSite } from './test-site.ts'

/** A feeder of this encoder to the site's gateway, reading `port` of the host itself. Answers its name. */
export async function addTestFeeder(
  site: TestSite,
  encoderId: string,
  port: number,
): Promise<string> {
  const { answer } = await site.call('admin', saveFeeder, {
    params: { product: 'acan' },
    body: { _id: encoderId, feederPost: testFeeder(site, port) },
  })
  return answer.feeder.name
}

export function testFeeder(site: TestSite, port: number) {
  return {
    serverId: site.acantsId,
    input: { title: 'to Gateway', addr: `127.0.0.1:${port}`, port },
    output: [{ addr: '192.0.2.10:6000', port: 6000 }],
  }
}
