// How the input of an operation names variables of the device model of OCPP 2.x.

/** A variable of the device model of OCPP 2.x: by its name (`Component.Variable`, or a usual key of 1.6) or by its parts. */
export interface NamedVariable {
  readonly name?: string;
  readonly component?: string;
  readonly instance?: string;
  readonly evseId?: number;
  readonly connectorId?: number;
  readonly variable?: string;
  readonly variableInstance?: string;
  /** Default: Actual. */
  readonly attributeType?: 'Actual' | 'Target' | 'MinSet' | 'MaxSet';
}

/** A variable, or a component alone: all its variables. */
export type NamedComponent = Omit<NamedVariable, 'attributeType'>;
