package io.gannet.driver;

/**
 * Who may use the driver's directory besides the user that runs the driver.
 */
public enum FileAccess
{
    /** Nobody: directories 0700, files 0600. */
    OWNER,

    /** The group of the directory: directories 0770, files 0660. */
    GROUP
}
