/** Whether a feeder encrypts, with which size of key, and its passphrase, which goes in and never comes out. */
import { type Form, textProps } from '../../forms/form.hook.ts'
import { KEY_CHOICES } from '../../shared/encryption.rules.ts'
import { GenerateKey } from '../../shared/GenerateKey.tsx'
import { SecretField } from '../../ui/SecretField.tsx'
import { SelectField } from '../../ui/SelectField.tsx'
import { KEY_HINT } from './feeder.messages.ts'
import { FEEDER_LABELS, type FeederValues } from './feeder-form.rules.ts'
import classes from './FeederDialog.module.css'

export function KeyFields({ form, hasKey }: { form: Form<FeederValues>; hasKey: boolean }) {
  const { encryption, passphrase } = form.values
  const isOn = encryption !== 'no'
  return (
    <>
      <div className={classes.pair}>
        <SelectField
          label={FEEDER_LABELS.encryption}
          choices={KEY_CHOICES}
          value={encryption}
          error={form.errorOf('encryption')}
          hint={hasKey && !isOn ? 'The stored passphrase goes when this is saved.' : ''}
          onChange={(next) => form.set({ encryption: next })}
        />
        {isOn && (
          <SecretField
            label={FEEDER_LABELS.passphrase}
            secret="passphrase"
            autoComplete="new-password"
            spellCheck={false}
            hint={hasKey ? KEY_HINT.kept : KEY_HINT.fresh}
            {...textProps(form, 'passphrase')}
          />
        )}
      </div>
      {isOn && (
        <GenerateKey
          passphrase={passphrase}
          onGenerate={(next) => form.set({ passphrase: next })}
        />
      )}
    </>
  )
}
