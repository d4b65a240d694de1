/**
 * What follows from a code: a name for it, which is sent, and a key for proofs, which is not. Who
 * listens learns neither the code nor the key, and cannot change what either side sent.
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { CODE_ID_CHARACTERS } from '@trunkline/contract/enrolment/enrolment.schema'

const KEY_BYTES = 32

export interface CodeSecrets {
  codeId: string
  proofKey: Buffer
}

/** `code`: as readCode() gives it. */
export function secretsOf(code: string): CodeSecrets {
  return {
    codeId: derive(code, 'trunkline enrolment code id', CODE_ID_CHARACTERS / 2).toString('hex'),
    proofKey: derive(code, 'trunkline enrolment proof', KEY_BYTES),
  }
}

export function proofOf(proofKey: Buffer, text: string): string {
  return createHmac('sha256', proofKey).update(text).digest('hex')
}

function derive(code: string, purpose: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', code, '', purpose, bytes))
}
