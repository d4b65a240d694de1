/** A fleet of fake agents in a process of its own; its parent says with which certificate, and gets the port. */
import type { TlsOptions } from 'node:tls'
import { FakeFleet } from '../kit/fleet/fake-fleet.ts'

process.once('message', ({ tls }: { tls: TlsOptions | null }) => {
  void FakeFleet.open('acants', tls ?? undefined).then(({ port }) => process.send?.({ port }))
})
process.on('disconnect', () => process.exit(0))
