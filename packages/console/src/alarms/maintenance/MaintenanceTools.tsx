/** Reads the maintenance windows again, and plans another. */
import { AddButton } from '../../shared/list/AddButton.tsx'
import { ListTools } from '../../shared/list/ListTools.tsx'
import type { Paging } from '../../shared/list/paging.hook.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { usePlanRefusal } from './maintenance.actions.ts'
import { MAINTENANCE_DIALOG } from './maintenance.loader.ts'

export function MaintenanceTools({ paging }: { paging: Paging }) {
  const refusal = usePlanRefusal()
  return (
    <ListTools
      kind="maintenance"
      paging={paging}
      add={
        <AddButton
          label="Plan maintenance"
          disabledReason={refusal}
          dialogOf={(onClose) => (
            <LaterDialog
              part={MAINTENANCE_DIALOG}
              props={{ window: null, covers: null, onClose }}
            />
          )}
        />
      }
    />
  )
}
