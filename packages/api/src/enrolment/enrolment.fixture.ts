/** For tests: what an agent sends, and every change of enrolment once. */
import { generateKeyPairSync } from 'node:crypto'
import { readCode } from '@trunkline/contract/enrolment/enrolment-code.rules'
import {
  addEnrolmentCode,
  enrolHost,
  revokeEnrolment,
} from '@trunkline/contract/enrolment/enrolment.calls'
import {
  answerText,
  requestText,
  type EnrolmentAnswer,
  type EnrolmentRequest,
} from '@trunkline/contract/enrolment/enrolment.schema'
import type { Step } from '../testing/change-walk.ts'
import { inject } from '../testing/inject.ts'
import type { TestSite } from '../testing/test-site.ts'
import { proofOf, secretsOf } from './code-proof.rules.ts'

export interface TestKey {
  /** PEM. */
  key: string
  /** SubjectPublicKeyInfo, DER in base64. */
  publicKey: string
}

export function testKey(namedCurve = 'P-256'): TestKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve })
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
  }
}

/** As an agent sends it that was given this code. */
export function enrolmentRequest(
  code: string,
  more: Partial<Omit<EnrolmentRequest, 'proof'>> = {},
): EnrolmentRequest {
  const { codeId, proofKey } = secretsOf(readCode(code) ?? '')
  const request = {
    codeId,
    publicKey: testKey().publicKey,
    seats: ['acants:8010', 'encoder:8000'],
    clock: new Date().toISOString(),
    ...more,
  }
  return { ...request, proof: proofOf(proofKey, requestText(request)) }
}

/** Whether the answer can only come from who knows the code. */
export function isProven(
  code: string,
  request: EnrolmentRequest,
  { proof, ...answer }: EnrolmentAnswer,
): boolean {
  const { proofKey } = secretsOf(readCode(code) ?? '')
  return proof === proofOf(proofKey, answerText(request, answer))
}

export async function newCode(
  site: Pick<TestSite, 'app' | 'people'>,
  params: { kind: 'server' | 'encoder'; id: string },
  token = site.people.superadmin.token,
): Promise<string> {
  const { answer } = await inject(site.app, addEnrolmentCode, token, { params })
  return answer.code
}

/** Cuts the host for links off: nothing that needs it may follow. */
export async function walkEnrolment(site: TestSite, step: Step): Promise<void> {
  const params = { kind: 'server' as const, id: site.acantsId }
  await step(addEnrolmentCode, 'neither', { params })
  await step(enrolHost, 'neither', { body: enrolmentRequest(await newCode(site, params)) })
  await step(revokeEnrolment, 'neither', { params })
}
