import { makeBackup, readBackups } from '@trunkline/contract/backups/backup.calls'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../context.ts'
import { mount } from '../http/mount.ts'
import * as backupService from './backup.service.ts'

export function backupRoutes(app: FastifyInstance, ctx: Context): void {
  mount(app, ctx, readBackups, async () => backupService.read(ctx))
  mount(app, ctx, makeBackup, async (_, actor) => backupService.begin(ctx, actor))
}
