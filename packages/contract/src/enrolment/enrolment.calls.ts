import { z } from 'zod'
import { HostKind } from '../fleet/fleet.schema.ts'
import { route } from '../route.ts'
import { Id } from '../text.schema.ts'
import { EnrolmentAnswer, EnrolmentRequest, HostEnrolment } from './enrolment.schema.ts'
import { success } from '../reply.schema.ts'

const ByHost = z.object({ kind: HostKind, id: Id })
const Reply = success({ data: HostEnrolment })

/** How the connection to the host of a server or encoder is secured. */
export const readEnrolment = route({
  name: 'enrolment.read',
  method: 'GET',
  path: '/api/hosts/:kind/:id/enrolment',
  action: 'enrolHosts',
  params: ByHost,
  reply: Reply,
})

/** A new code for this host, shown once; a code that was made for it before is good no longer. */
export const addEnrolmentCode = route({
  name: 'enrolment.addCode',
  method: 'POST',
  path: '/api/hosts/:kind/:id/enrolment',
  action: 'enrolHosts',
  params: ByHost,
  reply: success({
    data: HostEnrolment,
    /** As the operator types it on the host. */
    code: z.string(),
  }),
  successStatus: 201,
})

/** Cuts the host off at once, in every API process; its programs run on. */
export const revokeEnrolment = route({
  name: 'enrolment.revoke',
  method: 'DELETE',
  path: '/api/hosts/:kind/:id/enrolment',
  action: 'enrolHosts',
  params: ByHost,
  reply: Reply,
})

/** By the host's agent, which has no session: the proof of the code stands for one. */
export const enrolHost = route({
  name: 'enrolment.enrol',
  method: 'POST',
  path: '/api/hosts/enrol',
  action: 'anyone',
  body: EnrolmentRequest,
  reply: success({ data: EnrolmentAnswer }),
})
