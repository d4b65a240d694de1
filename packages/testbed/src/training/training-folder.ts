/** Where a training site is when no folder is named: beside the data folder of the plain demo. */
import { join } from 'node:path'
import { repositoryRoot } from '../repository.ts'

export function defaultTrainingDir(): string {
  return join(repositoryRoot(), '.trunkline', 'training')
}
