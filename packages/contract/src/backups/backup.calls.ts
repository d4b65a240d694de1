import { route } from '../route.ts'
import { BackupRecord, BackupState } from './backup.schema.ts'
import { success } from '../reply.schema.ts'

export const readBackups = route({
  name: 'backups.read',
  method: 'GET',
  path: '/api/backup',
  action: 'makeBackups',
  reply: success({ data: BackupState }),
})

/** Answers when it has begun; readBackups says when it has ended. 409 while one is made. */
export const makeBackup = route({
  name: 'backups.make',
  method: 'POST',
  path: '/api/backup',
  action: 'makeBackups',
  reply: success({ data: BackupRecord }),
  successStatus: 201,
})
