import { expect, test } from 'vitest'
import { describeOnBothDatabases } from '../testing/databases.ts'
import { addStoredSite } from '../testing/stored-site.ts'
import { CLAIM_OWNERS, targetKey } from './port-claim.rules.ts'
import * as portClaimStore from './port-claim.store.ts'

const input = { kind: 'input', id: 'i1' } as const
const output = { kind: 'output', id: 'o1' } as const

function claims(...ports: number[]) {
  return ports.map((port) => ({ hostKey: 'gw.example.org', port, leg: 'outer' }))
}

describeOnBothDatabases('Port claims', (open) => {
  test('an owner holds exactly its last claim', async () => {
    const db = await open()
    await portClaimStore.replace(db, input, claims(6000, 6002))
    await portClaimStore.replace(db, input, claims(6002, 6004))
    expect(await portClaimStore.takenPorts(db, 'gw.example.org')).toEqual([6002, 6004])
    await portClaimStore.release(db, input)
    expect(await portClaimStore.takenPorts(db, 'gw.example.org')).toEqual([])
  })

  test('a port of a host is one owner’s, on another host it is free', async () => {
    const db = await open()
    await portClaimStore.replace(db, input, claims(6000))
    expect(await portClaimStore.replace(db, output, claims(6000))).toBe(false)
    const elsewhere = [{ hostKey: 'gw2.example.org', port: 6000, leg: 'outer' }]
    expect(await portClaimStore.replace(db, output, elsewhere)).toBe(true)
  })

  test('the owner of a port is found, except the caller itself', async () => {
    const db = await open()
    await portClaimStore.replace(db, input, claims(6000))
    expect(await portClaimStore.findTaken(db, input, claims(6000))).toBeNull()
    expect(await portClaimStore.findTaken(db, output, claims(5998, 6000))).toMatchObject({
      claim: { port: 6000 },
      by: { ownerKind: 'input', ownerId: 'i1' },
    })
  })

  test('decisions 11: a target is claimed apart from the ports of the host', async () => {
    const db = await open()
    const targets = (ip: string) => [
      { hostKey: targetKey('gw.example.org', ip), port: 5000, leg: 'target' },
    ]
    const reader = claims(5000)
    expect(await portClaimStore.replace(db, input, reader)).toBe(true)
    expect(
      await portClaimStore.replace(db, { kind: 'encoder', id: 'e1' }, targets('127.0.0.1')),
    ).toBe(true)
    expect(
      await portClaimStore.replace(db, { kind: 'encoder', id: 'e2' }, targets('239.1.1.1')),
    ).toBe(true)
    expect(
      await portClaimStore.replace(db, { kind: 'encoder', id: 'e3' }, targets('127.0.0.1')),
    ).toBe(false)
  })

  test('an owner that is gone has no title', async () => {
    const db = await open()
    await addStoredSite(db)
    for (const ownerKind of CLAIM_OWNERS) {
      expect(
        await portClaimStore.describeOwner(db, { ownerKind, ownerId: 'x', leg: '' }),
      ).toBeNull()
    }
  })
})
