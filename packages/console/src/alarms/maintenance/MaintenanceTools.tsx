/** Reads the maintenance windows again, and plans another. */
import { useState } from 'react'
import { ListTools } from '../../shared/list/ListTools.tsx'
import type { Paging } from '../../shared/list/paging.hook.ts'
import { LaterDialog } from '../../shared/page/Later.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { usePlanRefusal } from './maintenance.actions.ts'
import { MAINTENANCE_DIALOG } from './maintenance.loader.ts'

export function MaintenanceTools({ paging }: { paging: Paging }) {
  const [isPlanning, setPlanning] = useState(false)
  const refusal = usePlanRefusal()
  return (
    <>
      <ListTools
        kind="maintenance"
        paging={paging}
        add={
          <Button
            tone="primary"
            icon="plus"
            disabledReason={refusal}
            onClick={() => setPlanning(true)}
          >
            Plan maintenance
          </Button>
        }
      />
      {isPlanning && (
        <LaterDialog
          part={MAINTENANCE_DIALOG}
          props={{ window: null, covers: null, onClose: () => setPlanning(false) }}
        />
      )}
    </>
  )
}
