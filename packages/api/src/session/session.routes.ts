import {
  passkeySetUpStep,
  passkeyStep,
  secondStep,
  setUpStep,
} from '@trunkline/contract/session/second-step.calls'
import {
  jwtLogin,
  login,
  signOut,
  signOutEverywhere,
} from '@trunkline/contract/session/session.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount, mountOpen } from '../http/mount.ts'
import { noPageTicket, pageTicket } from './page-ticket.ts'
import * as secondStepService from './second-step.service.ts'
import * as setUpStepService from './set-up-step.service.ts'
import * as sessionService from './session.service.ts'

export function sessionRoutes(app: FastifyInstance, ctx: Context): void {
  const { tokenSecret } = ctx.keys
  mountOpen(app, login, async ({ body, isTls, setCookie, ...guest }) => {
    const { sessionId, reply } = await sessionService.signIn(ctx, body, guest)
    setCookie(pageTicket(tokenSecret, sessionId, isTls))
    return reply
  })
  mountOpen(app, secondStep, async ({ body, isTls, setCookie, ...guest }) => {
    const { sessionId, reply } = await secondStepService.signInByCode(ctx, body, guest)
    setCookie(pageTicket(tokenSecret, sessionId, isTls))
    return reply
  })
  mountOpen(app, passkeyStep, async ({ body, isTls, setCookie, ...guest }) => {
    const { sessionId, reply } = await secondStepService.signInByPasskey(ctx, body, guest)
    setCookie(pageTicket(tokenSecret, sessionId, isTls))
    return reply
  })
  mountOpen(app, setUpStep, async ({ body, isTls, setCookie, ...guest }) => {
    const { sessionId, reply } = await setUpStepService.signInBySetUp(ctx, body, guest)
    setCookie(pageTicket(tokenSecret, sessionId, isTls))
    return reply
  })
  mountOpen(app, passkeySetUpStep, async ({ body, isTls, setCookie, ...guest }) => {
    const { sessionId, reply } = await setUpStepService.signInByNewPasskey(ctx, body, guest)
    setCookie(pageTicket(tokenSecret, sessionId, isTls))
    return reply
  })
  mount(app, ctx, jwtLogin, async ({ isTls, setCookie }, actor) => {
    const reply = await sessionService.renew(ctx, actor)
    setCookie(pageTicket(tokenSecret, actor.sessionId, isTls))
    return reply
  })
  mount(app, ctx, signOut, async ({ isTls, setCookie }, actor) => {
    setCookie(noPageTicket(isTls))
    return sessionService.signOutHere(ctx, actor)
  })
  mount(app, ctx, signOutEverywhere, async ({ isTls, setCookie }, actor) => {
    setCookie(noPageTicket(isTls))
    return sessionService.endEverywhere(ctx, actor)
  })
}
