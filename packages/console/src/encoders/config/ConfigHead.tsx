/** Head of the configuration page: the way back, the live state, what is unsaved, and saving. */
import { Link } from '@tanstack/react-router'
import type { Encoder } from '@trunkline/contract/encoders/encoder.schema'
import { mayDo } from '@trunkline/contract/role-table'
import { useRole } from '../../lib/session.ts'
import { Age } from '../../shared/Age.tsx'
import { PageHead } from '../../shared/PageHead.tsx'
import { SaveButtons } from '../../forms/SaveButtons.tsx'
import { StateChip } from '../../shared/StateChip.tsx'
import { NO_CHANGES, unsavedText } from '../../forms/unsaved.messages.ts'
import { Icon } from '../../ui/Icon.tsx'
import classes from '../../forms/FormPage.module.css'
import type { EncoderView } from '../encoder-view.hook.ts'
import { offersStop } from '../encoder.rules.ts'
import { TemplateMenu } from '../templates/TemplateMenu.tsx'
import type { ConfigForm } from './config-form.hook.ts'
import { settingsOf } from './config-check.rules.ts'
import * as text from './config.messages.ts'

export const CONFIGURE_ENCODER = 'Configure Encoder'

/** CFG-04. */
export function BackLink() {
  return (
    <Link to="/dashboard/managerEncoder" className={classes.back} preload={false}>
      <Icon name="left" size={14} />
      Encoders
    </Link>
  )
}

interface ConfigHeadProps {
  form: ConfigForm
  encoder: Encoder
  shown: EncoderView
}

export function ConfigHead({ form, encoder, shown }: ConfigHeadProps) {
  const { view } = shown
  return (
    <PageHead
      isSticky
      title={CONFIGURE_ENCODER}
      lead={<BackLink />}
      views={
        <span className={classes.state}>
          <StateChip view={view} />
          {view.sinceMs !== null && <Age sinceMs={view.sinceMs} />}
        </span>
      }
      tools={
        form.isReadOnly ? (
          <span className={classes.unsaved}>{text.VIEW_ONLY}</span>
        ) : (
          <Tools form={form} encoder={encoder} shown={shown} />
        )
      }
    />
  )
}

function Tools({ form, encoder, shown }: ConfigHeadProps) {
  const role = useRole()
  const count = form.changes.length
  const isFirst = encoder.config === null
  const isIdle = count === 0 && !isFirst
  const disabledReason = form.isPending ? '' : isIdle ? NO_CHANGES : null
  const mayRestart = mayDo(role, 'controlEncoder') && encoder.isEnabled && !isFirst
  return (
    <div className={classes.tools}>
      <span className={classes.unsaved} role="status">
        {unsavedText(count)}
      </span>
      <TemplateMenu
        settings={settingsOf(form.state.values)}
        onApply={(settings, title) => form.take({ step: 'template', settings, title })}
      />
      <SaveButtons
        title={encoder.title}
        changes={count}
        isPending={form.isPending}
        disabledReason={disabledReason}
        mayRestart={mayRestart && offersStop(shown.status?.state ?? null)}
        onDiscard={() => form.take({ step: 'discard' })}
        onSave={(then) => form.save(then)}
      />
    </div>
  )
}
